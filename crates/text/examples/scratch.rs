//! scratch
use moviola_text::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let file = std::fs::read(&args[2]).unwrap();
    let opt = DecompileOptions { bare: args.get(3).is_some_and(|a| a == "bare"), ..Default::default() };
    if args[1] == "d" {
        decompile(&file[..], std::io::stdout().lock(), &opt).unwrap();
    }
    if args[1] == "f" {
        format(&file[..], std::io::stdout().lock()).unwrap();
    }
    if args[1] == "ff" {
        for f in &args[2..] {
            let file = std::fs::read(f).unwrap();
            let mut t = Vec::new();
            decompile(&file[..], &mut t, &opt).unwrap();
            let mut u = Vec::new();
            format(&t[..], &mut u).unwrap();
            println!("{f} {}", t == u);
            if t != u {
                std::fs::write("/tmp/t1", &t).unwrap();
                std::fs::write("/tmp/t2", &u).unwrap();
            }
        }
    }
    if args[1] == "c" {
        match compile(&file[..], std::io::stdout().lock(), &CompileOptions::default()) {
            Ok(_) => {}
            Err(CompileError::Mistakes(m)) => {
                for m in m {
                    eprintln!("{m:#?}")
                }
            }
            Err(e) => eprintln!("{e:?}"),
        }
    }
    if args[1] == "t" {
        for f in &args[2..] {
            let file = std::fs::read(f).unwrap();
            let (mut text, mut back) = (Vec::new(), Vec::new());
            let t0 = std::time::Instant::now();
            decompile(&file[..], &mut text, &DecompileOptions { bare: true, ..Default::default() }).unwrap();
            let d = t0.elapsed();
            let mut text2 = Vec::new();
            let t0 = std::time::Instant::now();
            decompile(&file[..], &mut text2, &DecompileOptions::default()).unwrap();
            let d2 = t0.elapsed();
            let t1 = std::time::Instant::now();
            let r = compile(&text2[..], &mut back, &CompileOptions::default());
            let c = t1.elapsed();
            let mb = file.len() as f64 / 1e6;
            println!(
                "{} {f} x{:.1} x{:.1} bare {:.0} decompile {:.0} MB/s compile {:.0} MB/s {:?}",
                if back == file { "exact" } else { "WRONG" },
                text.len() as f64 / file.len() as f64,
                text2.len() as f64 / file.len() as f64,
                mb / d.as_secs_f64(),
                mb / d2.as_secs_f64(),
                mb / c.as_secs_f64(),
                match r {
                    Ok(_) => String::new(),
                    Err(CompileError::Mistakes(m)) => format!("{:?}", &m[..m.len().min(2)]),
                    Err(e) => format!("{e:?}"),
                }
            );
        }
    }
}
