//! Replays the seeds of the fuzz target, and the crashes that it once found, without a fuzzer.

#[path = "../../../../fuzz/src/input.rs"]
#[allow(unreachable_pub, reason = "there it is a part of a program")]
mod target;

use std::fs;
use std::path::Path;

#[test]
fn seeds_and_regressions() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let mut count = 0;
    for folder in
        [folder.join("seeds/input"), folder.join("regressions/input")].iter().filter(|it| it.is_dir())
    {
        for file in fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()) {
            println!("{}", file.display());
            target::input(&fs::read(file).unwrap());
            count += 1;
        }
    }
    assert!(count > 5, "{count}");
}
