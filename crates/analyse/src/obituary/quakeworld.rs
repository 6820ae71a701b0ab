//! `QuakeWorld`'s lines that Quake does not have: those of KTX in all its modes (`ClientObituary` of `client.c`,
//! `ra_ClientObituary` of `arena.c`), and of Team Fortress (`ClientObituary` of `QWTF` 2.9). Texts were read from those sources; they are data of the games.

use super::Class::{Kill, Teamkill};
use super::{Row, around, by, kill, suicide, team, victim_only, world};

const SG: &str = "Shotgun";
const SSG: &str = "Super Shotgun";
const NG: &str = "Nailgun";
const SNG: &str = "Super Nailgun";
const LG: &str = "Thunderbolt";
const STOMP: &str = "stomp";
const GRENADE: &str = "Hand Grenade";
const MIRV: &str = "Mirv Grenade";
const PIPES: &str = "Pipebombs";
const EMP: &str = "EMP Grenade";
const DETPACK: &str = "Detpack";
const DISEASE: &str = "Bioweapon";
const FLAMES: &str = "Flamethrower";
const RIFLE: &str = "Sniper Rifle";
const SENTRY: &str = "Sentry Gun";
const KNIFE: &str = "Knife";

/// All lines.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row] = &[
    // KTX: players
    kill(" was jumped by ", "", STOMP),
    kill(" was crushed by ", "", STOMP),
    kill(" tried to catch ", "", STOMP),
    kill(" softens ", "'s fall", STOMP),
    by(" stomps ", "", STOMP, Kill),
    kill(" was perforated by ", "", SNG),
    kill(" was straw-cuttered by ", "", SNG),
    kill(" was lead poisoned by ", "", SG),
    kill(" ate 8 loads of ", "'s buckshot", SSG),
    kill(" gets a natural disaster from ", "", LG),
    kill(" drains ", "'s batteries", LG),
    kill(" was railed by ", "", "Railgun"),
    kill(" was instagibbed by ", "", "Railgun"),
    kill(" was axed to pieces by ", "!", "Axe"),
    kill(" was literally stomped into particles by ", "!", STOMP),
    kill(" killed by ", " ?", ""),
    // KTX: players of one team
    team(" checks her glasses"),
    victim_only(" was telefragged by his teammate", "telefrag", Teamkill),
    victim_only(" was telefragged by her teammate", "telefrag", Teamkill),
    victim_only(" was jumped by his teammate", STOMP, Teamkill),
    victim_only(" was jumped by her teammate", STOMP, Teamkill),
    victim_only(" was crushed by his teammate", STOMP, Teamkill),
    victim_only(" was crushed by her teammate", STOMP, Teamkill),
    // KTX: by oneself, and by the level
    suicide(" electrocutes himself", LG),
    suicide(" electrocutes herself", LG),
    suicide(" railcutes himself", "Railgun"),
    suicide(" railcutes herself", "Railgun"),
    suicide(" heats up the water", LG),
    suicide(" somehow becomes bored with life", ""),
    world(" cratered", "falling"),
    // KTX: Rocket Arena, where the next line names the one who is left
    around("The winner ", " has been defeated", "", Kill),
    around("The challenger ", " has failed", "", Kill),
    // Team Fortress: grenades
    kill(" got up-close and personal with ", "'s grenade", GRENADE),
    kill(" played catch with ", "'s grenade", GRENADE),
    kill(" received a pineapple enema from ", "", GRENADE),
    kill(" fetched ", "'s pineapple", GRENADE),
    kill(" caught too much shrapnel from ", "'s grenade", GRENADE),
    kill(" tried to pick up ", "'s hot potato", GRENADE),
    kill(" thought ", " was tossing him a spare grenade", GRENADE),
    kill(" stops to ponder the technical details of ", "'s grenade", GRENADE),
    kill(" surfs on a grenade from ", "", GRENADE),
    kill(" gets flayed by ", "'s nail grenade", "Nail Grenade"),
    kill(" does a dance on ", "'s Mirv grenade", MIRV),
    kill(" gets spammed by ", "'s Mirv grenade", MIRV),
    kill(" is caught by ", "'s pipebomb trap", PIPES),
    kill(" fell victim to ", "'s fireworks", PIPES),
    kill(" gags on ", "'s noxious gasses", "Gas Grenade"),
    kill("'s ammo detonates him as ", "'s EMP fries it", EMP),
    kill(" stands near some ammo as ", "'s EMP nukes it", EMP),
    kill(" stepped on too many of ", "'s caltrops", "Caltrops"),
    kill(" is charred by ", "'s flash grenade", "Flash Grenade"),
    kill(" reaches orbit via ", "'s detpack", DETPACK),
    kill(" cut the red wire of ", "'s detpack", DETPACK),
    // Team Fortress: weapons
    kill(" dies from ", "'s mysterious tropical disease", DISEASE),
    kill(" escapes infection from ", " by dying first", DISEASE),
    kill(" is burnt up by ", "'s flame", FLAMES),
    kill(" is fried by ", "'s fire", FLAMES),
    kill(" feels ", "'s fire of wrath", FLAMES),
    kill(" is reduced to ashes by ", "", FLAMES),
    kill(" is grilled by ", "'s flame", FLAMES),
    kill(" gets well done by ", "'s incendiary rocket", "Incendiary Cannon"),
    kill(" was knife-murdered by ", "", KNIFE),
    kill(" gets knifed from behind by ", "", KNIFE),
    kill("'s mellon was split by ", "", "Axe"),
    kill(" was put on the chop block by ", "", "Axe"),
    kill(" was sliced and diced by ", "'s blade", "Axe"),
    kill(" is split from crotch to sternum by ", "'s axe swing", "Axe"),
    kill(" is split in two with a powerful axe blow from ", "", "Axe"),
    kill("'s death put another notch on ", "'s axe", "Axe"),
    kill(" was spanner-murdered by ", "", "Spanner"),
    kill(" got too close to ", "'s muzzleflash", SG),
    kill(" practices being ", "'s clay pigeon", SG),
    kill(" was on the receiving end of ", "'s shotgun barrel", SG),
    kill(" was fed a lead diet by ", "", SG),
    kill(" got blasted by ", "'s last resort", SG),
    kill(" got more than a powderburn from ", "'s shotgun blast", SG),
    kill(" was turned into swiss cheese by ", "'s buckshot", SSG),
    kill(" got a double-dose of ", "'s buckshot", SSG),
    kill(" unfortunately forgot ", " carried a super-shotgun", SSG),
    kill(" gets ventilated by ", "'s super-shotgun blast", SSG),
    kill("'s body got chuck full of ", "'s lead pellets", SSG),
    kill(" caught one too many nails from ", "", NG),
    kill(" ran into ", "'s nails", NG),
    kill(" was turned into ", "'s pin-cushion", NG),
    kill(" grappled with ", "", "Grapple"),
    kill(" takes a bullet in the chest from ", "", RIFLE),
    kill(" succumbs to sniperfire from ", "", RIFLE),
    kill(" gets a third eye from ", "", RIFLE),
    kill(" gets his head blown off by ", "", RIFLE),
    kill(" is made legless by ", "", RIFLE),
    kill(" gets his legs blown off by ", "", RIFLE),
    kill(" collects ", "'s bullet spray.", "Auto Rifle"),
    kill(" gets sawn in half by ", "", "Assault Cannon"),
    kill(" is put to sleep by ", "", "Tranquilizer"),
    kill(" gets a hole in his heart from ", "'s railgun", "Railgun"),
    kill(" gets destroyed by ", "'s exploding sentrygun", SENTRY),
    kill(" hates ", "'s sentry gun", SENTRY),
    kill(" is mown down by ", "'s sentry gun", SENTRY),
    kill(" didn't insert the correct change into ", "'s dispenser.", "Dispenser"),
    // Team Fortress: players of one team
    by(" mows down teammate ", "", "", Teamkill),
    by(" checks his glasses after killing ", "", "", Teamkill),
    by(" gets a frag for the other team with ", "'s death", "", Teamkill),
    by(" killed his supposed friend ", "", "", Teamkill),
    Row { class: Teamkill, ..kill(" didn't survive the operation by ", "", "Medikit") },
    victim_only(" obstructs his team's sentry gun", SENTRY, Teamkill),
    // Team Fortress: by oneself
    suicide(" got too close to his own grenade", GRENADE),
    suicide(" let his own grenade get the best of him", GRENADE),
    suicide(" tiptoed over his own grenade", GRENADE),
    suicide(" stared at his grenade too long", GRENADE),
    suicide(" grenades himself", GRENADE),
    suicide(" hammers himself", "Nail Grenade"),
    suicide(" practiced his own Mirv dance", MIRV),
    suicide(" allowed his Mirv to turn against him", MIRV),
    suicide(" goes to pieces", MIRV),
    suicide(" ambushes himself with his own pipebombs", PIPES),
    suicide(" tried to juggle his own pipebombs", PIPES),
    suicide(" chokes on his own gas", "Gas Grenade"),
    suicide(" explodes his ammo and body", EMP),
    suicide(" detonates an ammo box too close to him", EMP),
    suicide(" stepped on too many of his own caltrops", "Caltrops"),
    suicide(" is charred by his own flash grenade", "Flash Grenade"),
    suicide(" set the detpack and forgot to run", DETPACK),
    suicide(" died impossibly!", DISEASE),
    suicide(" chars himself with an incendiary rocket", "Incendiary Cannon"),
    suicide(" torches himself", FLAMES),
    suicide(" gets too friendly with his sentrygun.", SENTRY),
    suicide(" intercepts his sentry gun's rocket", SENTRY),
    suicide(" crossed his sentry gun's line of fire", SENTRY),
    suicide(" dispenses with himself.", "Dispenser"),
];
