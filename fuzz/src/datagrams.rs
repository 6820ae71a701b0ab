//! The fuzz target `datagrams`.

use moviola_net::netquake::{self, NetQuakeViewer, Packet};
use moviola_net::quake2::Quake2Viewer;
use moviola_net::quakeworld::QuakeWorldViewer;
use moviola_net::{Cut, Direction, SessionTape, Tape};
use std::time::Duration;

/// Any bytes as datagrams, each with its length and direction before it. No tape and no viewer panics. A
/// packet that is read is written back unchanged, except bytes after an acknowledgment. A tape's recording is
/// not much longer than its input.
pub fn datagrams(bytes: &[u8]) {
    let mut tape = SessionTape::new(true);
    let (mut cuts, mut now, mut received) = (Vec::new(), Duration::ZERO, 0);
    let (mut viewer, mut viewer2) = (NetQuakeViewer::new(now), Quake2Viewer::new(now));
    let mut viewer_qw = QuakeWorldViewer::new(now);
    let mut rest = bytes;
    while let Some(([way, length], after)) = rest.split_first_chunk::<2>() {
        let (datagram, next) = after.split_at(after.len().min(usize::from(*length)));
        rest = next;
        now += Duration::from_millis(u64::from(*way >> 1) * 10);
        received += datagram.len();
        let way = if way & 1 == 0 { Direction::Down } else { Direction::Up };
        tape.take_datagram(way, datagram, now, &mut cuts);
        if let Some(packet) = Packet::parse(datagram)
            && !matches!(packet, Packet::Control(_))
        {
            let mut again = Vec::new();
            packet.write(&mut again);
            if matches!(packet, Packet::Ack { .. }) {
                assert_eq!(Packet::parse(&again), Some(packet));
            } else {
                assert_eq!(again, datagram);
            }
            if let Packet::Reliable { body, .. } | Packet::Unreliable { body, .. } = packet {
                netquake::moves(body).count();
            }
        }
        let mut reply = Vec::new();
        viewer.receive(datagram, now, &mut reply);
        assert!(reply.len() <= datagram.len(), "an answer is longer than what asked");
        viewer2.receive(datagram, now);
        viewer_qw.receive(datagram, now);
    }
    tape.stop(&mut cuts);
    tape.start(&mut cuts);
    tape.close(&mut cuts);
    let written: usize =
        cuts.iter().map(|cut| if let Cut::Bytes(bytes) = cut { bytes.len() } else { 0 }).sum();
    // The greatest growth is due to a QuakeWorld move that replaces 63 lost ones.
    assert!(written <= received * 400 + 4096, "{written} bytes of {received}");
}
