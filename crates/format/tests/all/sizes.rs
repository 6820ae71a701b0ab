//! Messages are copied and faults are returned from every field, so their sizes are pinned.

use moviola_format::{Context, Entry, Fault, dem, dm2, qw};
use std::mem::size_of;

#[test]
fn messages_and_faults_stay_small() {
    assert!(size_of::<dem::Message>() <= 64, "{}", size_of::<dem::Message>());
    // A player's state needs ten bytes more than 64. Boxing it would cost more time than the smaller size saves.
    assert!(size_of::<dm2::Message>() <= 80, "{}", size_of::<dm2::Message>());
    // The largest message is a player of QuakeWorld, which contains a whole command.
    assert!(size_of::<qw::Message>() <= 96, "{}", size_of::<qw::Message>());
    assert!(size_of::<Fault>() <= 16, "{}", size_of::<Fault>());
    assert!(size_of::<Entry<dem::Message>>() <= 80, "{}", size_of::<Entry<dem::Message>>());
    // QuakeWorld's extensions are three words of flags.
    assert!(size_of::<Context>() <= 48, "{}", size_of::<Context>());
}
