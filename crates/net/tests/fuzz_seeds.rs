//! Replays the seeds of the fuzz targets of packets and of QTV without a fuzzer, whole, cut short and damaged; and
//! random bytes.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail")]

use std::path::Path;

#[path = "../../../fuzz/src/datagrams.rs"]
#[allow(unreachable_pub, reason = "there it is a library")]
mod datagrams;

#[path = "../../../fuzz/src/packets.rs"]
#[allow(unreachable_pub, reason = "there it is a library")]
mod packets;

#[path = "../../../fuzz/src/qtv.rs"]
#[allow(unreachable_pub, reason = "there it is a library")]
mod qtv;

type Target = fn(&[u8]);

/// The targets and the folders of their seeds.
const TARGETS: [(&str, Target); 3] =
    [("datagrams", datagrams::datagrams), ("packets", packets::packets), ("qtv", qtv::qtv)];

fn files(kind: &str, target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz").join(kind).join(target);
    let Ok(files) = std::fs::read_dir(folder) else { return Vec::new() };
    files.map(|file| std::fs::read(file.unwrap().path()).unwrap()).collect()
}

#[test]
fn seeds_hold() {
    for (name, target) in TARGETS {
        let seeds = files("seeds", name);
        assert!(seeds.len() >= 3, "{name}: {} seeds", seeds.len());
        for seed in seeds {
            (0..=seed.len()).for_each(|length| target(&seed[..length]));
            for at in 0..seed.len() {
                let mut damaged = seed.clone();
                damaged[at] ^= 0x5a;
                target(&damaged);
            }
        }
    }
}

#[test]
fn regressions_hold() {
    for (name, target) in TARGETS {
        for file in files("regressions", name) {
            target(&file);
        }
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
        for (_, target) in TARGETS {
            target(&noise);
        }
    }
}
