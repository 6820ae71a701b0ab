use moviola_format::*;
use std::time::Instant;
fn run<D: Dialect>(mut demo: Demo<&[u8]>, file: &[u8], name: &str) {
    let mut out = Vec::new();
    let mut ctx = Context::of(D::GAME);
    let (mut blocks, mut msgs, mut raws, mut rawbytes) = (0, 0, 0, 0);
    let mut first = String::new();
    let mut buf = Vec::new();
    while let Some(piece) = demo.next_piece().unwrap() {
        if let Piece::Block(b) = piece {
            blocks += 1;
            buf.clear();
            let mut it = b.messages::<D>(ctx);
            while let Some(e) = it.next() {
                let c = *it.context();
                e.write(&mut buf, &c);
                msgs += 1;
                if buf.len() > b.data.len() || buf[..] != b.data[..buf.len()] {
                    println!(
                        "  DIFF {name} block {blocks} {e:?} ctx {c:?}\n {:?} vs {:?}",
                        &buf[e.at..],
                        &b.data[e.at..it.pos()]
                    );
                    return;
                }
            }
            if !it.rest().is_empty() {
                raws += 1;
                rawbytes += it.rest().len();
                if first.is_empty() {
                    first = format!(
                        "block {blocks} at {} {:?} {:?}",
                        it.pos(),
                        it.fault(),
                        &it.rest()[..it.rest().len().min(16)]
                    );
                }
            }
            ctx = *it.context();
            buf.extend_from_slice(it.rest());
            Piece::Block(Block { data: &buf, ..b }).write(D::GAME, &mut out).unwrap();
        } else {
            if let Piece::Raw(r) = piece {
                println!("  {name} RAW {}", r.len());
            }
            piece.write(D::GAME, &mut out).unwrap();
        }
    }
    println!(
        "{} {name} {:?} proto {} blocks {blocks} msgs {msgs} raw {raws} ({rawbytes}) {first}",
        if out == file { "exact" } else { "WRONG" },
        D::GAME,
        ctx.protocol
    );
}
fn main() {
    let mut total = 0;
    let files: Vec<_> = std::env::args().skip(1).map(|p| (p.clone(), std::fs::read(p).unwrap())).collect();
    for (p, f) in &files {
        let demo = Demo::new(&f[..]).unwrap();
        match demo.format() {
            Format::Quake { .. } => run::<Quake>(demo, f, p),
            Format::Quake2 => run::<Quake2>(demo, f, p),
            o => println!("{p} {o:?}"),
        }
    }
    let t = Instant::now();
    let mut n = 0u64;
    for (_, f) in &files {
        total += f.len();
        let mut demo = Demo::new(&f[..]).unwrap();
        macro_rules! go {
            ($d:ty) => {{
                let mut ctx = Context::of(<$d>::GAME);
                while let Some(p) = demo.next_piece().unwrap() {
                    if let Piece::Block(b) = p {
                        let mut it = b.messages::<$d>(ctx);
                        while let Some(e) = it.next() {
                            std::hint::black_box(&e);
                            n += 1;
                        }
                        ctx = *it.context();
                    }
                }
            }};
        }
        match demo.game() {
            Some(Game::Quake) => go!(Quake),
            Some(Game::Quake2) => go!(Quake2),
            None => {}
        }
    }
    let s = t.elapsed().as_secs_f64();
    println!("{total} bytes {n} msgs {:.1} MB/s", total as f64 / 1e6 / s);
    sizes();
    println!("sizes {} {} {}", size_of::<dem::Message>(), size_of::<dm2::Message>(), size_of::<Fault>());
}
#[allow(dead_code)]
fn sizes() {
    use moviola_format::{dem, dm2};
    println!(
        "update {} client {} info {} te {} base {} base2 {} player {} sb {} te2 {} frame {} dl {}",
        size_of::<dem::UpdateEntity>(),
        size_of::<dem::ClientData>(),
        size_of::<dem::ServerInfo>(),
        size_of::<dem::TempEntity>(),
        size_of::<dem::SpawnBaseline>(),
        size_of::<dem::SpawnBaseline2>(),
        size_of::<dm2::PlayerInfo>(),
        size_of::<dm2::SpawnBaseline>(),
        size_of::<dm2::TempEntity>(),
        size_of::<dm2::FrameMessage>(),
        size_of::<dm2::Download>()
    );
}
