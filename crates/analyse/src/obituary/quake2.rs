//! Quake II's obituaries: id's game 3.20 (`ClientObituary` of `p_client.c`), CTF and both mission packs, in
//! the three genders of the game. The texts were taken from those sources; they are data of the games.

use super::{Row, kill, suicide, world};

const GRENADES: &str = "Hand Grenade";
const GL: &str = "Grenade Launcher";
const RL: &str = "Rocket Launcher";
const BFG: &str = "BFG10K";

/// All lines.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row] = &[
    kill(" was blasted by ", "", "Blaster"),
    kill(" was gunned down by ", "", "Shotgun"),
    kill(" was blown away by ", "'s super shotgun", "Super Shotgun"),
    kill(" was machinegunned by ", "", "Machinegun"),
    kill(" was cut in half by ", "'s chaingun", "Chaingun"),
    kill(" was popped by ", "'s grenade", GL),
    kill(" was shredded by ", "'s shrapnel", GL),
    kill(" ate ", "'s rocket", RL),
    kill(" almost dodged ", "'s rocket", RL),
    kill(" was melted by ", "'s hyperblaster", "HyperBlaster"),
    kill(" was railed by ", "", "Railgun"),
    kill(" saw the pretty lights from ", "'s BFG", BFG),
    kill(" was disintegrated by ", "'s BFG blast", BFG),
    kill(" couldn't hide from ", "'s BFG", BFG),
    kill(" caught ", "'s handgrenade", GRENADES),
    kill(" didn't see ", "'s handgrenade", GRENADES),
    kill(" feels ", "'s pain", GRENADES),
    kill(" tried to invade ", "'s personal space", "telefrag"),
    suicide(" tripped on its own grenade.", GL),
    suicide(" tripped on her own grenade.", GL),
    suicide(" tripped on his own grenade.", GL),
    suicide(" blew itself up.", RL),
    suicide(" blew herself up.", RL),
    suicide(" blew himself up.", RL),
    suicide(" should have used a smaller gun.", BFG),
    suicide(" tried to put the pin back in.", GRENADES),
    suicide(" killed itself.", "kill command"),
    suicide(" killed herself.", "kill command"),
    suicide(" killed himself.", "kill command"),
    suicide(" suicides.", "kill command"),
    world(" sank like a rock.", "drowning"),
    world(" melted.", "slime"),
    world(" does a back flip into the lava.", "lava"),
    world(" was squished.", "crushed"),
    world(" cratered.", "falling"),
    world(" blew up.", "explosion"),
    world(" was in the wrong place.", "trap"),
    world(" found a way out.", "exit"),
    world(" saw the light.", "laser"),
    world(" got blasted.", "blaster trap"),
    world(" died.", ""),
    // CTF
    kill(" was caught by ", "'s grapple", "Grapple"),
    // The Reckoning
    kill(" ripped to shreds by ", "'s ripper gun", "Ionripper"),
    kill(" was evaporated by ", "", "Phalanx"),
    kill(" caught in trap by ", "", "Trap"),
    suicide(" sucked into his own trap.", "Trap"),
    suicide(" sucked into her own trap.", "Trap"),
    suicide(" sucked into its own trap.", "Trap"),
    world(" that's gotta hurt.", "Gekk"),
    // Ground Zero
    kill(" was shredded by ", "'s ripsaw", "Chainfist"),
    kill(" lost his grip courtesy of ", "'s disintegrator", "Disruptor"),
    kill(" was perforated by ", "", "ETF Rifle"),
    kill(" was scorched by ", "'s plasma beam", "Plasma Beam"),
    kill(" was enlightened by ", "'s tesla mine", "Tesla"),
    kill(" got too close to ", "'s proximity mine", "Prox Launcher"),
    kill(" was nuked by ", "'s antimatter bomb", "A-M Bomb"),
    kill(" was purged by ", "'s vengeance sphere", "vengeance sphere"),
    kill(" was killed like a dog by ", "'s hunter sphere", "hunter sphere"),
    kill(" had a blast with ", "'s defender sphere", "defender sphere"),
    kill(" was annihilated by ", "'s disruptor", "Disruptor"),
    kill(" was blown up by ", "'s doppleganger", "Doppleganger"),
    kill(" was purged by ", "'s doppleganger", "Doppleganger"),
    kill(" was hunted down by ", "'s doppleganger", "Doppleganger"),
    suicide(" got caught in it's own trap.", "Doppleganger"),
    suicide(" got caught in her own trap.", "Doppleganger"),
    suicide(" got caught in his own trap.", "Doppleganger"),
];
