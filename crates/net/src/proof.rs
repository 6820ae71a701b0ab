//! Proves that a client receives the packets to its address. A forged address must not make a server send its game
//! there. Servers check this with a number, but they see only the proxy's address, which all of its clients share.
//!
//! QuakeWorld's and Quake II's clients get a number of the proxy in place of the server's, and must return it. Quake
//! has no such number. Its clients acknowledge each reliable packet by its number, and accept only the number that
//! follows the last one. So the proxy sends an empty packet with a secret number, and holds back the server's packets
//! until the client has acknowledged it.

use crate::bytes::{OUT_OF_BAND, out_of_band};
use crate::netquake::Packet;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The most packets, and the most bytes, that are held back for a proof. QuakeSpasm sends a level's beginning in one
/// packet.
const MOST_WAITING: usize = 16;
const MOST_BYTES: usize = 1 << 17;

/// The numbers for clients have nine digits: they cannot be guessed, and every client can read them.
const MIN_NUMBER: u32 = 100_000_000;
const NUMBERS: u32 = 900_000_000;

/// The numbers of reliable packets of a client in play stay far below this one.
const FIRST_PROOF_NUMBER: u32 = 1 << 30;

/// The time after which a client is asked again.
const ASK_AGAIN_AFTER: Duration = Duration::from_millis(500);

/// The state of one client's proof. The thread of the client's packets and that of the server's share it.
#[derive(Debug)]
pub(crate) struct Proof {
    /// The number that the client must return in a handshake, and the number of the packet that it must acknowledge.
    number: u32,
    sequence: u32,
    is_given: AtomicBool,
    open: Mutex<Open>,
}

/// The state of a client that has not yet proven its address.
#[derive(Debug, Default)]
struct Open {
    /// The number that the server has given to the proxy for this client.
    server_number: Option<Vec<u8>>,
    waiting: Vec<Vec<u8>>,
    bytes: usize,
    /// How often the client may still be asked: not more often than it has sent something.
    may_ask: u32,
    last_asked: Option<Instant>,
}

/// The decision about a datagram of the server.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// The datagram is passed on.
    Forward,
    /// These bytes are passed on instead of the datagram.
    Replace(Vec<u8>),
    /// The datagram is held back, or dropped.
    Hold,
    /// The datagram is held back; this packet goes to the client first, whose acknowledgement proves its address.
    Challenge(Vec<u8>),
}

impl Proof {
    /// The proof of a client, with numbers that depend on the secret.
    pub(crate) fn new(secret: &RandomState, client: u64) -> Self {
        let [number, sequence] = [0, 1].map(|which| secret.hash_one((client, which)) as u32);
        Self {
            number: MIN_NUMBER + number % NUMBERS,
            sequence: sequence | FIRST_PROOF_NUMBER,
            is_given: false.into(),
            open: Mutex::default(),
        }
    }

    /// Whether the client has given the proof.
    pub(crate) fn is_given(&self) -> bool {
        self.is_given.load(Ordering::Acquire)
    }

    /// Handles a datagram of the client; `release` gets the packets that were held back.
    pub(crate) fn take_from_client(&self, datagram: &[u8], release: &mut dyn FnMut(&[u8])) -> Fate {
        if Packet::parse(datagram) == Some(Packet::Ack { sequence: self.sequence }) {
            let mut open = self.open();
            for packet in std::mem::take(&mut open.waiting) {
                release(&packet);
            }
            // Set while the list is still locked, so that no later packet overtakes a waiting one.
            self.is_given.store(true, Ordering::Release);
            return Fate::Hold;
        }
        if !self.is_given() {
            self.open().may_ask += 1;
        }
        let Some((before, number, behind)) = requested(datagram) else { return Fate::Forward };
        let own = self.number.to_string();
        match self.open().server_number.as_ref().filter(|_| number == own.as_bytes()) {
            Some(theirs) => {
                self.is_given.store(true, Ordering::Release);
                Fate::Replace([before, theirs, behind].concat())
            }
            None => Fate::Hold,
        }
    }

    /// Handles a datagram of the server; `is_play` says whether it is a packet of a connection.
    pub(crate) fn take_from_server(&self, datagram: &[u8], is_play: bool) -> Fate {
        if let Some((before, number, behind)) = given(datagram) {
            self.open().server_number = Some(number.to_vec());
            return Fate::Replace([before, self.number.to_string().as_bytes(), behind].concat());
        }
        if !is_play || self.is_given() {
            return Fate::Forward;
        }
        let mut open = self.open();
        if self.is_given() {
            return Fate::Forward;
        }
        // Only Quake's connections begin without a number.
        if Packet::parse(datagram).is_none() {
            return Fate::Hold;
        }
        // Servers repeat packets that are not acknowledged.
        let is_new = !open.waiting.iter().any(|packet| packet == datagram);
        if is_new && open.waiting.len() < MOST_WAITING && open.bytes + datagram.len() <= MOST_BYTES {
            open.bytes += datagram.len();
            open.waiting.push(datagram.to_vec());
        }
        if open.may_ask == 0 || open.last_asked.is_some_and(|asked| asked.elapsed() < ASK_AGAIN_AFTER) {
            return Fate::Hold;
        }
        (open.may_ask, open.last_asked) = (open.may_ask - 1, Some(Instant::now()));
        let mut question = Vec::new();
        Packet::Reliable { sequence: self.sequence, last: true, body: b"" }.write(&mut question);
        Fate::Challenge(question)
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The number in a client's request for a connection with QuakeWorld or Quake II, and the bytes around it.
fn requested(datagram: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let text = out_of_band(datagram)?.strip_prefix(b"connect ")?;
    // The words after the protocol and the client's own number.
    let mut words = text.splitn(3, |byte| *byte == b' ');
    let (_, _, rest) = (words.next()?, words.next()?, words.next()?);
    around(datagram, datagram.len() - rest.len())
}

/// The number that a server of QuakeWorld or Quake II gives, and the bytes before and after it. `DarkPlaces` gives a
/// word in place of a number, and compares the whole address.
fn given(datagram: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let text = out_of_band(datagram)?;
    let word = if text.starts_with(b"challenge ") {
        b"challenge ".len()
    } else {
        usize::from(text.first() == Some(&b'c'))
    };
    let (before, number, behind) = around(datagram, OUT_OF_BAND.len() + word)?;
    let ends = behind.first().is_none_or(|byte| matches!(byte, b' ' | b'\n' | 0));
    (word > 0 && ends).then_some((before, number, behind))
}

/// A decimal number at this place, and the bytes around it.
fn around(datagram: &[u8], at: usize) -> Option<(&[u8], &[u8], &[u8])> {
    let (before, rest) = datagram.split_at_checked(at)?;
    let is_number = |(at, byte): (usize, &u8)| byte.is_ascii_digit() || at == 0 && *byte == b'-';
    let length = rest.iter().enumerate().take_while(|it| is_number(*it)).count();
    let (number, behind) = rest.split_at_checked(length)?;
    number.last().is_some_and(u8::is_ascii_digit).then_some((before, number, behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrap(text: &str) -> Vec<u8> {
        [&OUT_OF_BAND[..], text.as_bytes()].concat()
    }

    #[test]
    fn each_client_has_a_number_of_its_own() {
        let secret = RandomState::new();
        let [one, other] = [1, 2].map(|client| Proof::new(&secret, client));
        let none = &mut |_: &[u8]| panic!("nothing waits");
        for (answer, request) in [
            ("challenge 77 p=34", "connect 34 9 77 \"\\name\\me\"\n"),
            ("challenge -77", "connect 35 9 -77 \"\" 1390 1905\n"),
            ("c77\0more", "connect 28 9 77 \"\"\n0x1 0x2\n"),
        ] {
            let number = if answer.contains('-') { "-77" } else { "77" };
            let with_proxy_number =
                |proof: &Proof, text: &str| wrap(&text.replace(number, &proof.number.to_string()));
            for (proof, wrong) in [(&one, &other), (&other, &one)] {
                let given = proof.take_from_server(&wrap(answer), false);
                assert_eq!(given, Fate::Replace(with_proxy_number(proof, answer)));
                // The server's own number is of no use to the client, and neither is the number of another address.
                for request in [wrap(request), with_proxy_number(wrong, request)] {
                    assert_eq!(proof.take_from_client(&request, none), Fate::Hold);
                }
                assert!(!proof.is_given());
            }
            let proof = Proof::new(&secret, 1);
            assert_eq!(
                proof.take_from_client(&with_proxy_number(&proof, request), none),
                Fate::Hold,
                "nothing was given yet"
            );
            proof.take_from_server(&wrap(answer), false);
            assert_eq!(
                proof.take_from_client(&with_proxy_number(&proof, request), none),
                Fate::Replace(wrap(request))
            );
            assert!(proof.is_given());
        }
        // Texts without a number.
        for text in
            ["challenge 4Kz;8", "challenge ", "client_connect", "c", "connect\\protocol\\darkplaces 3"]
        {
            assert_eq!(one.take_from_server(&wrap(text), false), Fate::Forward, "{text}");
        }
    }

    #[test]
    fn packets_of_quake_wait_for_an_acknowledgement() {
        let proof = Proof::new(&RandomState::new(), 1);
        let packet = |packet: Packet<'_>| {
            let mut out = Vec::new();
            packet.write(&mut out);
            out
        };
        let first = packet(Packet::Reliable { sequence: 0, last: true, body: b"serverinfo" });
        let ask = packet(Packet::Reliable { sequence: proof.sequence, last: true, body: b"" });
        let none = &mut |_: &[u8]| panic!("nothing may pass");
        assert_eq!(proof.take_from_server(&first, true), Fate::Hold, "nobody has sent anything");
        assert_eq!(proof.take_from_client(b"\x80\0\0\x0c\x01QUAKE\0\x03", none), Fate::Forward);
        assert_eq!(proof.take_from_server(&first, true), Fate::Challenge(ask));
        // However often the server repeats it.
        assert_eq!(proof.take_from_server(&first, true), Fate::Hold);
        let ack = |sequence| packet(Packet::Ack { sequence });
        for sequence in [0, 1, proof.sequence ^ 1] {
            assert_eq!(proof.take_from_client(&ack(sequence), none), Fate::Forward);
        }
        assert_eq!(proof.take_from_server(&first[..7], true), Fate::Hold);
        let mut released = Vec::new();
        let keep = &mut |packet: &[u8]| released.push(packet.to_vec());
        assert_eq!(proof.take_from_client(&ack(proof.sequence), keep), Fate::Hold);
        assert_eq!(released, [&first[..]]);
        assert_eq!(proof.take_from_server(&first, true), Fate::Forward);
    }
}
