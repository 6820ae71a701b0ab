//! Names of messages and of bits in the games' C sources, for whoever knows those.
// schema-once, all words: fields are pointed at by their names, and a test asks for each

/// What a C name stands for here, as a message or `message.field`.
pub(crate) fn meant(name: &str) -> Option<&str> {
    if let Some(message) = name.get(..4).filter(|it| it.eq_ignore_ascii_case("svc_")).and(name.get(4..)) {
        return Some(message);
    }
    BITS.iter().find(|(c, _)| c.eq_ignore_ascii_case(name)).map(|(_, field)| *field)
}

/// Bits of `protocol.h` and the fields that hang on them.
const BITS: &[(&str, &str)] = &[
    ("U_ORIGIN1", "updateentity.origin_x"),
    ("U_ORIGIN2", "updateentity.origin_y"),
    ("U_ORIGIN3", "updateentity.origin_z"),
    ("U_ANGLE1", "updateentity.angles_1"),
    ("U_ANGLE2", "updateentity.angles_2"),
    ("U_ANGLE3", "updateentity.angles_3"),
    ("U_NOLERP", "updateentity.new"),
    ("U_STEP", "updateentity.new"),
    ("U_FRAME", "updateentity.frame"),
    ("U_MODEL", "updateentity.modelindex"),
    ("U_COLORMAP", "updateentity.colormap"),
    ("U_SKIN", "updateentity.skin"),
    ("U_EFFECTS", "updateentity.effects"),
    ("U_LONGENTITY", "updateentity.entity"),
    ("U_TRANS", "updateentity.transparency"),
    ("U_ALPHA", "updateentity.alpha"),
    ("U_SCALE", "updateentity.scale"),
    ("U_FRAME2", "updateentity.frame_high"),
    ("U_MODEL2", "updateentity.modelindex_high"),
    ("U_LERPFINISH", "updateentity.lerpfinish"),
    ("SU_VIEWHEIGHT", "clientdata.view_ofs_z"),
    ("SU_IDEALPITCH", "clientdata.punchangle_x"),
    ("SU_PUNCH1", "clientdata.angles_1"),
    ("SU_PUNCH2", "clientdata.angles_2"),
    ("SU_PUNCH3", "clientdata.angles_3"),
    ("SU_VELOCITY1", "clientdata.vel_x"),
    ("SU_VELOCITY2", "clientdata.vel_y"),
    ("SU_VELOCITY3", "clientdata.vel_z"),
    ("SU_ITEMS", "clientdata.items"),
    ("SU_ONGROUND", "clientdata.uk_bit_b10"),
    ("SU_INWATER", "clientdata.uk_bit_b11"),
    ("SU_WEAPONFRAME", "clientdata.weaponframe"),
    ("SU_ARMOR", "clientdata.armorvalue"),
    ("SU_WEAPON", "clientdata.weaponmodel"),
    ("SU_WEAPON2", "clientdata.weaponmodel_high"),
    ("SU_WEAPONALPHA", "clientdata.weaponalpha"),
    ("SND_VOLUME", "sound.vol"),
    ("SND_ATTENUATION", "sound.attenuation"),
    ("SND_POS", "sound.origin"),
    ("SND_OFFSET", "sound.timeofs"),
    ("SND_ENT", "sound.source"),
    ("U_REMOVE", "spawnbaseline.remove"),
    ("U_RENDERFX8", "spawnbaseline.renderfx"),
    ("U_RENDERFX16", "spawnbaseline.renderfx"),
    ("U_EFFECTS8", "spawnbaseline.effects"),
    ("U_EFFECTS16", "spawnbaseline.effects"),
    ("U_FRAME8", "spawnbaseline.frame"),
    ("U_FRAME16", "spawnbaseline.frame"),
    ("U_SKIN8", "spawnbaseline.skin"),
    ("U_SKIN16", "spawnbaseline.skin"),
    ("U_NUMBER16", "spawnbaseline.entity"),
    ("U_OLDORIGIN", "spawnbaseline.old_origin"),
    ("U_SOUND", "spawnbaseline.sound"),
    ("U_SOLID", "spawnbaseline.solid"),
    ("U_EVENT", "spawnbaseline.event"),
    ("U_MODEL3", "spawnbaseline.modelindex3"),
    ("U_MODEL4", "spawnbaseline.modelindex4"),
    ("PS_M_TYPE", "playerinfo.pm_type"),
    ("PS_M_ORIGIN", "playerinfo.origin"),
    ("PS_M_VELOCITY", "playerinfo.velocity"),
    ("PS_M_TIME", "playerinfo.pm_time"),
    ("PS_M_FLAGS", "playerinfo.pm_flags"),
    ("PS_M_GRAVITY", "playerinfo.gravity"),
    ("PS_M_DELTA_ANGLES", "playerinfo.delta_angles"),
    ("PS_VIEWOFFSET", "playerinfo.viewoffset"),
    ("PS_VIEWANGLES", "playerinfo.viewangles"),
    ("PS_KICKANGLES", "playerinfo.kick_angles"),
    ("PS_BLEND", "playerinfo.blend"),
    ("PS_FOV", "playerinfo.fov"),
    ("PS_WEAPONINDEX", "playerinfo.gunindex"),
    ("PS_WEAPONFRAME", "playerinfo.gunframe"),
    ("PS_RDFLAGS", "playerinfo.rdflags"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Explanation, explain};
    use moviola_format::{Message, dem, dm2};

    #[test]
    fn every_name_leads_somewhere() {
        for (name, field) in BITS {
            assert!(matches!(explain(name), Some(Explanation::Entries { .. })), "{name}");
            assert_eq!(explain(name), explain(field), "{name}");
        }
        for row in dem::Message::SCHEMA.iter().chain(dm2::Message::SCHEMA) {
            assert_eq!(explain(&format!("svc_{}", row.name)), explain(row.name));
        }
        assert!(meant("svc").is_none() && explain("svc_nothing").is_none());
    }
}
