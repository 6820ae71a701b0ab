//! Prints where every player of a recording was: `cargo run --example positions run.dem`.
#![forbid(unsafe_code)]

fn main() -> std::io::Result<()> {
    let Some(path) = std::env::args_os().nth(1) else {
        return Err(std::io::Error::other("name a recording"));
    };
    moviola::open(path)?.positions(|at| {
        let [x, y, z] = at.origin;
        println!("{:8.2} {:<16} {x:7.1} {y:7.1} {z:7.1}", at.time, at.name);
    })
}
