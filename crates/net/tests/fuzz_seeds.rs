//! Replays the seeds of the datagram fuzz target without a fuzzer, whole, cut short and damaged; and random
//! bytes.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail")]

use std::path::Path;

#[path = "../../../fuzz/src/datagrams.rs"]
#[allow(unreachable_pub, reason = "there it is a library")]
mod datagrams;

#[test]
fn seeds_hold() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/datagrams");
    let mut count = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let seed = std::fs::read(file.unwrap().path()).unwrap();
        (0..=seed.len()).for_each(|length| datagrams::datagrams(&seed[..length]));
        for at in 0..seed.len() {
            let mut damaged = seed.clone();
            damaged[at] ^= 0x5a;
            datagrams::datagrams(&damaged);
        }
        count += 1;
    }
    assert!(count >= 3);
}

#[test]
fn regressions_hold() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/regressions/datagrams");
    for file in std::fs::read_dir(folder).unwrap() {
        datagrams::datagrams(&std::fs::read(file.unwrap().path()).unwrap());
    }
}

#[test]
fn noise_holds() {
    let mut random = 7_u32;
    for length in 0..2000 {
        let noise: Vec<u8> = (0..length)
            .map(|_| {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (random >> 24) as u8
            })
            .collect();
        datagrams::datagrams(&noise);
    }
}
