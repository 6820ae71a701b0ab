"""Pictures of each effect: ours and an engine's, side by side, for docs/effects.md.

Called by `cargo xtask effects` with the program, the engine kit, the free game data and a folder to work in. A recording
has one effect after the other; it tells the engine itself when to take its picture, by a console command in it.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import time

MOVIOLA, KIT, GAME, WORK, OUT = (pathlib.Path(word).resolve() for word in sys.argv[1:6])
ONLY = sys.argv[6:]
sys.dont_write_bytecode = True
sys.path.insert(0, str(KIT))
import play  # noqa: E402

SIZE, CROP = (320, 240), (200, 150)
PATIENCE = 300

# Quake: blocks are a fiftieth of a second apart. In both games there are four seconds between two effects, so that
# nothing is left of the one before.
STEP, GAP = 0.02, 40
CAMERA, AHEAD = (0, 67, 56), 120
EYE = (CAMERA[0], CAMERA[1], CAMERA[2] + 22)
AT = (EYE[0], EYE[1] + AHEAD, EYE[2])

# Quake II: frames a tenth of a second apart.
CAMERA2 = (0, -600, 24)
EYE2 = (CAMERA2[0], CAMERA2[1], CAMERA2[2] + 22)
AT2 = (EYE2[0], EYE2[1] + AHEAD, EYE2[2])


def vector(place):
    return " ".join(f"{float(part)}" for part in place)


def plus(place, *offset):
    return tuple(one + other for one, other in zip(place, offset))


def message(name, **fields):
    return f" {name} {{\n" + "".join(f"  {field} {value};\n" for field, value in fields.items()) + " }\n"


class Effect:
    """What is shown: messages of the first block, an entity in every block, and after how many blocks the picture is
    taken."""

    def __init__(self, name, after, first="", entity=None):
        self.name, self.after, self.first, self.entity = name, after, first, entity


def quake_te(name, kind, after, **fields):
    fields = {"origin": vector(AT), **fields}
    order = ("model", "entity", "origin", "trace_endpos", "velocity", "color", "range")
    fields = {key: fields[key] for key in [*order, *[key for key in fields if key not in order]] if key in fields}
    return Effect(name, after, message("temp_entity", entitytype=kind, **fields))


MODELS = ["progs/player.mdl", "progs/missile.mdl", "progs/grenade.mdl", "progs/gib1.mdl", "progs/zom_gib.mdl",
          "progs/w_spike.mdl", "progs/k_spike.mdl", "progs/v_spike.mdl", "progs/bolt.mdl", "progs/bolt2.mdl",
          "progs/bolt3.mdl", "progs/beam.mdl", "progs/armor.mdl", "progs/s_explod.spr", "progs/s_bubble.spr"]  # fmt: skip


def actor(model, effects=0, place=AT, speed=0.0, yaw=0.0):
    """An entity of Quake that moves to the east with `speed` units a block, and is before the eye after 20 blocks."""

    def entity(block):
        x, y, z = plus(place, speed * (block - 20), 0, 0)
        fields = {"entity": 20, "modelindex": MODELS.index(model) + 2}
        if effects:
            fields["effects"] = effects
        fields |= {"origin_x": x, "angles_1": 0.0, "origin_y": y, "angles_2": yaw, "origin_z": z}
        return message("updateentity", **fields)

    return entity


STAND_INS = {
    "id1/progs/v_spike.mdl": "id1/progs/w_spike.mdl",
    "id1/progs/beam.mdl": "id1/progs/bolt.mdl",
    "baseq2/models/proj/lightning/tris.md2": "baseq2/models/monsters/parasite/segment/tris.md2",
    "baseq2/models/proj/beam/tris.md2": "baseq2/models/monsters/parasite/segment/tris.md2",
    "baseq2/models/ctf/segment/tris.md2": "baseq2/models/monsters/parasite/segment/tris.md2",
}

BOLT = {"entity": 5, "origin": vector(plus(AT, -60, 20, 0)), "trace_endpos": vector(plus(AT, 90, 40, 20))}
QUAKE = [
    quake_te("TE_SPIKE", 0, 4),
    quake_te("TE_SUPERSPIKE", 1, 4),
    quake_te("TE_GUNSHOT", 2, 4),
    quake_te("TE_EXPLOSION", 3, 8),
    quake_te("TE_TAREXPLOSION", 4, 8),
    quake_te("TE_LIGHTNING1", 5, 2, **BOLT),
    quake_te("TE_LIGHTNING2", 6, 2, **BOLT),
    quake_te("TE_WIZSPIKE", 7, 4),
    quake_te("TE_KNIGHTSPIKE", 8, 4),
    quake_te("TE_LIGHTNING3", 9, 2, **BOLT),
    quake_te("TE_LAVASPLASH", 10, 20, origin=vector(plus(AT, 0, 60, -40))),
    quake_te("TE_TELEPORT", 11, 4),
    quake_te("TE_EXPLOSION2", 12, 6, color=244, range=8),
    quake_te("TE_BEAM", 13, 2, **BOLT),
    Effect("particle", 4, message("particle", origin=vector(AT), vel=vector((0, -2, 1)), color=73, count=40)),
    Effect("particle-255", 8, message("particle", origin=vector(AT), vel=vector((0, 0, 0)), color=0, count=255)),
    Effect("EF_BRIGHTFIELD", 20, entity=actor("progs/armor.mdl", 1)),
    Effect("EF_MUZZLEFLASH", 2, entity=actor("progs/armor.mdl", 2)),
    Effect("EF_BRIGHTLIGHT", 20, entity=actor("progs/armor.mdl", 4)),
    Effect("EF_DIMLIGHT", 20, entity=actor("progs/armor.mdl", 8)),
    Effect("missile.mdl", 23, entity=actor("progs/missile.mdl", speed=10.0)),
    Effect("grenade.mdl", 23, entity=actor("progs/grenade.mdl", speed=8.0)),
    Effect("gib1.mdl", 23, entity=actor("progs/gib1.mdl", speed=6.0)),
    Effect("zom_gib.mdl", 23, entity=actor("progs/zom_gib.mdl", speed=6.0)),
    Effect("w_spike.mdl", 23, entity=actor("progs/w_spike.mdl", speed=8.0)),
    Effect("k_spike.mdl", 23, entity=actor("progs/k_spike.mdl", speed=8.0)),
    Effect("v_spike.mdl", 23, entity=actor("progs/v_spike.mdl", speed=8.0)),
    Effect("s_explod.spr", 5, entity=actor("progs/s_explod.spr")),
]


def quake_text(effects):
    """The text of a recording, and the moment of each picture."""
    place = "".join(f"  origin_{axis} {float(part)};\n" for axis, part in zip("xyz", CAMERA))
    models = " ".join(f'"{model}"' for model in ["maps/lq_e0m9.bsp", *MODELS])
    text = ['track "-1\\n";\n']

    def block(body):
        text.append("block {\n camera 0.0 90.0 0.0;\n" + body + "}\n")

    info = "  serverversion 15;\n  maxclients 1;\n  multi 0;\n"
    block(f' serverinfo {{\n{info}  mapname "";\n  models {models};\n  sounds;\n }}\n setview 1;\n signonnum 1;\n')
    block(
        message("spawnbaseline", entity=1, default_modelindex=2, default_frame=0, default_colormap=1, default_skin=0,
                default_origin=vector(CAMERA), default_angles="0.0 90.0 0.0") + " signonnum 2;\n"
    )  # fmt: skip
    block(' time 1.0s;\n lightstyle {\n  style 0;\n  string "m";\n }\n signonnum 3;\n')
    now, shots = 1.0, {}
    clientdata = {"health": 100, "currentammo": 0, "ammo_shells": 0, "ammo_nails": 0, "ammo_rockets": 0,
                  "ammo_cells": 0, "weapon": 1}  # fmt: skip
    for effect in effects:
        for step in range(-GAP, effect.after + 3):
            now += 0.1 if step < -3 else STEP
            body = f" time {now:.2f}s;\n" + message("clientdata", **clientdata)
            body += f" updateentity {{\n  entity 1;\n{place} }}\n"
            if effect.entity and 0 <= step:
                body += effect.entity(step)
            if step == 0:
                body += effect.first
            if step == effect.after:
                shots[effect.name] = f"#{len(text) - 1}"
                body += ' stufftext "screenshot\\n";\n'
            block(body)
    for body in [' stufftext "quit\\n";\n', "", ""]:
        now += STEP
        block(f" time {now:.2f}s;\n" + body)
    block(" disconnect;\n")
    return "".join(text), shots


def darkplaces_te(name, kind, after, **fields):
    fields = {"origin": vector(AT), **fields}
    return Effect(name, after, message("darkplaces_temp_entity", entitytype=kind, **fields))


BOX = {"origin": vector(plus(AT, -40, -20, -30)), "trace_endpos": vector(plus(AT, 40, 40, 40))}
JET = {"direction": vector((60, 0, 40)), "count": 60}
DARKPLACES = [
    darkplaces_te("TE_BLOOD", 50, 4, velocity="10 0 60", count=40),
    darkplaces_te("TE_SPARK", 51, 4, velocity="40 0 60", count=60),
    darkplaces_te("TE_BLOODSHOWER", 52, 4, **BOX, speed=100.0, many=200),
    darkplaces_te("TE_EXPLOSIONRGB", 53, 8, rgb="40 255 80"),
    darkplaces_te("TE_PARTICLECUBE", 54, 10, **BOX, direction=vector((0, 0, 30)), many=150, color=0xF4, gravity=0, speed=20.0),
    darkplaces_te("TE_PARTICLERAIN", 55, 6, **BOX, direction=vector((0, 0, -400)), many=100, color=0x0C),
    darkplaces_te("TE_PARTICLESNOW", 56, 20, **BOX, direction=vector((0, 0, -60)), many=200, color=0x0C),
    darkplaces_te("TE_GUNSHOTQUAD", 57, 4),
    darkplaces_te("TE_SPIKEQUAD", 58, 4),
    darkplaces_te("TE_SUPERSPIKEQUAD", 59, 4),
    darkplaces_te("TE_EXPLOSIONQUAD", 70, 8),
    darkplaces_te("TE_SMALLFLASH", 72, 2),
    darkplaces_te("TE_CUSTOMFLASH", 73, 4, radius=30, duration=255, rgb="255 60 60"),
    darkplaces_te("TE_FLAMEJET", 74, 5, **JET),
    darkplaces_te("TE_PLASMABURN", 75, 2),
    darkplaces_te("TE_TEI_G3", 76, 5, origin=vector(plus(AT, -60, 20, 0)), trace_endpos=vector(plus(AT, 90, 40, 20)),
                  direction=vector((0, 0, 0))),
    darkplaces_te("TE_TEI_SMOKE", 77, 5, **JET),
    darkplaces_te("TE_TEI_BIGEXPLOSION", 78, 8),
    darkplaces_te("TE_TEI_PLASMAHIT", 79, 5, direction=vector((0, 0, 0)), count=60),
]  # fmt: skip


def darkplaces_text(effects):
    """The text of a recording of DarkPlaces 7, and the moment of each picture."""
    text = ['track "-1\\n";\n']

    def block(body):
        text.append("block {\n camera 0.0 90.0 0.0;\n" + body + "}\n")

    info = "  serverversion 3504;\n  maxclients 1;\n  multi 0;\n"
    block(f' serverinfo {{\n{info}  mapname "";\n  models "maps/lq_e0m9.bsp";\n  sounds;\n }}\n setview 1;\n signonnum 1;\n')
    block(" signonnum 2;\n")
    block(' time 1.0s;\n lightstyle {\n  style 0;\n  string "m";\n }\n playerdata;\n signonnum 3;\n')
    now, shots, frame = 1.0, {}, 0
    place = f"   entity 1;\n   full;\n   origin32 {vector(CAMERA)};\n   angles16 0.0 90.0 0.0;\n"
    for effect in effects:
        for step in range(-GAP, effect.after + 3):
            now += 0.1 if step < -3 else STEP
            frame += 1
            body = f" time {now:.2f}s;\n playerdata;\n"
            if frame == 1:
                body += message("updatestat", index=0, value=100) + message("updatestatbyte", index=16, value=22)
                # The full field of view.
                body += message("updatestatbyte", index=21, value=255)
            delta = f"  delta {{\n{place}  }}\n" if frame == 1 else ""
            body += f" entities {{\n  frame {frame};\n  command 0;\n{delta} }}\n"
            if step == 0:
                body += effect.first
            if step == effect.after:
                shots[effect.name] = f"#{len(text) - 1}"
                body += ' stufftext "screenshot\\n";\n'
            block(body)
    for body in [' stufftext "quit\\n";\n', "", ""]:
        now += STEP
        block(f" time {now:.2f}s;\n playerdata;\n" + body)
    block(" disconnect;\n")
    return "".join(text), shots


MODELS2 = [f"models/{model}/tris.md2" for model in (
    "objects/rocket", "objects/grenade", "objects/laser", "objects/gibs/sm_meat", "items/quaddama",
    "monsters/soldier", "objects/dmspot", "items/armor/effect", "monsters/parasite/segment", "objects/explode",
    "objects/r_explode", "objects/smoke", "objects/flash",
)] + ["sprites/s_bfg1.sp2", "sprites/s_bfg2.sp2"]  # fmt: skip
ORDER2 = ("nextid", "dest_entity", "entity", "type", "count", "dest_origin", "origin", "trace_endpos", "movedir",
          "style", "pos1", "flash_entity", "plat2flags", "wait")  # fmt: skip
TOWARDS = "0.0 -1.0 0.0"


def quake2_te(name, kind, after, *extra, **fields):
    fields = {"origin": vector(AT2), **fields}
    if "hit" in extra:
        fields["movedir"] = TOWARDS
    if "line" in extra:
        fields |= {"origin": vector(plus(AT2, -70, 0, -10)), "trace_endpos": vector(plus(AT2, 90, 80, 20))}
    body = {"entitytype": kind} | {key: fields[key] for key in ORDER2 if key in fields}
    return Effect(name, after, message("temp_entity", **body))


def actor2(model, effects=0, renderfx=0, speed=0.0, frame=0, event=None, place=AT2, yaw=270.0, skin=0):
    """An entity of Quake II that moves to the east with `speed` units a frame, and is before the eye after 6 frames."""

    def entity(step):
        x, y, z = plus(place, speed * (step - 6), 0, 0)
        fields = {"entity": 20, "modelindex": MODELS2.index(model) + 2, "frame": frame, "skin": skin, "effects": effects,
                  "renderfx": renderfx, "origin_x": x, "origin_y": y, "origin_z": z, "angles_2": yaw,
                  "old_origin": vector((x - speed, y, z))}  # fmt: skip
        fields = {key: value for key, value in fields.items() if value != 0 or key in ("entity", "modelindex")}
        if event and step == 1:
            fields["event"] = event
        return message("packetentity", **fields)

    return entity


def moving(name, bit, model="models/objects/rocket/tris.md2", speed=40.0, **more):
    return Effect(name, 7, entity=actor2(model, 1 << bit, speed=speed, **more))


def standing(name, model="models/items/quaddama/tris.md2", after=4, **more):
    return Effect(name, after, entity=actor2(model, **more))


HIT = "hit"
QUAKE2 = [
    quake2_te("TE_GUNSHOT", 0, 2, HIT),
    quake2_te("TE_BLOOD", 1, 2, HIT),
    quake2_te("TE_BLASTER", 2, 2, HIT),
    quake2_te("TE_RAILTRAIL", 3, 3, "line"),
    quake2_te("TE_SHOTGUN", 4, 2, HIT),
    quake2_te("TE_EXPLOSION1", 5, 3),
    quake2_te("TE_EXPLOSION2", 6, 3),
    quake2_te("TE_ROCKET_EXPLOSION", 7, 3),
    quake2_te("TE_GRENADE_EXPLOSION", 8, 3),
    quake2_te("TE_SPARKS", 9, 2, HIT),
    quake2_te("TE_SPLASH", 10, 2, HIT, count=32, style=2),
    quake2_te("TE_BUBBLETRAIL", 11, 3, "line"),
    quake2_te("TE_SCREEN_SPARKS", 12, 2, HIT),
    quake2_te("TE_SHIELD_SPARKS", 13, 2, HIT),
    quake2_te("TE_BULLET_SPARKS", 14, 2, HIT),
    quake2_te("TE_LASER_SPARKS", 15, 2, HIT, count=32, style=208),
    quake2_te("TE_PARASITE_ATTACK", 16, 1, "line", entity=5),
    quake2_te("TE_ROCKET_EXPLOSION_WATER", 17, 3),
    quake2_te("TE_GRENADE_EXPLOSION_WATER", 18, 3),
    quake2_te("TE_MEDIC_CABLE_ATTACK", 19, 1, "line", entity=5),
    quake2_te("TE_BFG_EXPLOSION", 20, 2),
    quake2_te("TE_BFG_BIGEXPLOSION", 21, 3),
    quake2_te("TE_BOSSTPORT", 22, 3, origin=vector(plus(AT2, 0, 60, -40))),
    quake2_te("TE_BFG_LASER", 23, 1, "line"),
    quake2_te("TE_GRAPPLE_CABLE", 24, 1, "line", entity=5, pos1=vector((0, 0, 0))),
    quake2_te("TE_WELDING_SPARKS", 25, 2, HIT, count=32, style=224),
    quake2_te("TE_GREENBLOOD", 26, 2, HIT),
    quake2_te("TE_PLASMA_EXPLOSION", 28, 3),
    quake2_te("TE_TUNNEL_SPARKS", 29, 2, HIT, count=32, style=208),
    quake2_te("TE_BLASTER2", 30, 2, HIT),
    quake2_te("TE_LIGHTNING", 33, 1, dest_entity=6, entity=5, dest_origin=vector(plus(AT2, -70, 0, -10)),
              origin=vector(plus(AT2, 90, 80, 20))),
    quake2_te("TE_DEBUGTRAIL", 34, 3, "line"),
    quake2_te("TE_PLAIN_EXPLOSION", 35, 3),
    quake2_te("TE_FLASHLIGHT", 36, 1, flash_entity=5),
    quake2_te("TE_FORCEWALL", 37, 3, "line", style=208),
    quake2_te("TE_HEATBEAM", 38, 1, "line", entity=5),
    quake2_te("TE_MONSTER_HEATBEAM", 39, 1, "line", entity=5),
    quake2_te("TE_STEAM", 40, 3, HIT, nextid=-1, count=32, style=224, plat2flags=60),
    quake2_te("TE_BUBBLETRAIL2", 41, 3, "line"),
    quake2_te("TE_MOREBLOOD", 42, 2, HIT),
    quake2_te("TE_HEATBEAM_SPARKS", 43, 2, HIT),
    quake2_te("TE_HEATBEAM_STEAM", 44, 2, HIT),
    quake2_te("TE_CHAINFIST_SMOKE", 45, 3),
    quake2_te("TE_ELECTRIC_SPARKS", 46, 2, HIT),
    quake2_te("TE_TRACKER_EXPLOSION", 47, 2),
    quake2_te("TE_TELEPORT_EFFECT", 48, 2),
    quake2_te("TE_DBALL_GOAL", 49, 2),
    quake2_te("TE_WIDOWBEAMOUT", 50, 6, type=20001),
    quake2_te("TE_NUKEBLAST", 51, 6),
    quake2_te("TE_WIDOWSPLASH", 52, 3),
    quake2_te("TE_EXPLOSION1_BIG", 53, 3),
    quake2_te("TE_EXPLOSION1_NP", 54, 3),
    quake2_te("TE_FLECHETTE", 55, 2, HIT),
    moving("EF_GIB", 1, "models/objects/gibs/sm_meat/tris.md2", 20.0),
    moving("EF_BLASTER", 3, "models/objects/laser/tris.md2"),
    moving("EF_ROCKET", 4),
    moving("EF_GRENADE", 5, "models/objects/grenade/tris.md2", 20.0),
    moving("EF_HYPERBLASTER", 6, "models/objects/laser/tris.md2"),
    standing("EF_BFG", "sprites/s_bfg1.sp2", effects=1 << 7 | 1 << 13),
    standing("EF_COLOR_SHELL", effects=1 << 8, renderfx=1 << 10),
    standing("EF_POWERSCREEN", "models/monsters/soldier/tris.md2", effects=1 << 9),
    standing("EF_FLIES", "models/monsters/soldier/tris.md2", effects=1 << 14),
    standing("EF_QUAD", "models/monsters/soldier/tris.md2", effects=1 << 15),
    standing("EF_PENT", "models/monsters/soldier/tris.md2", effects=1 << 16),
    standing("EF_TELEPORTER", "models/objects/dmspot/tris.md2", effects=1 << 17, after=7),
    moving("EF_FLAG1", 18, "models/items/quaddama/tris.md2", 20.0),
    moving("EF_FLAG2", 19, "models/items/quaddama/tris.md2", 20.0),
    moving("EF_IONRIPPER", 20, "models/objects/laser/tris.md2"),
    moving("EF_GREENGIB", 21, "models/objects/gibs/sm_meat/tris.md2", 20.0),
    moving("EF_BLUEHYPERBLASTER", 22, "models/objects/laser/tris.md2"),
    moving("EF_SPINNINGLIGHTS", 23, speed=0.0),
    moving("EF_PLASMA", 24, "models/objects/laser/tris.md2"),
    standing("EF_TRAP", "models/objects/grenade/tris.md2", effects=1 << 25, after=7),
    moving("EF_TRACKER", 26, "models/objects/laser/tris.md2"),
    standing("EF_DOUBLE", "models/monsters/soldier/tris.md2", effects=1 << 27),
    standing("EF_SPHERETRANS", "models/monsters/soldier/tris.md2", effects=1 << 28),
    moving("EF_TAGTRAIL", 29, "models/items/quaddama/tris.md2", 20.0),
    standing("EF_HALF_DAMAGE", "models/monsters/soldier/tris.md2", effects=1 << 30),
    moving("EF_TRACKERTRAIL", 31, "models/objects/laser/tris.md2"),
    standing("EV_ITEM_RESPAWN", after=3, event=1),
    standing("EV_PLAYER_TELEPORT", "models/monsters/soldier/tris.md2", after=3, event=6),
    standing("RF_FULLBRIGHT", "models/monsters/soldier/tris.md2", renderfx=1 << 3),
    standing("RF_TRANSLUCENT", "models/monsters/soldier/tris.md2", renderfx=1 << 5),
    standing("RF_GLOW", renderfx=1 << 9),
    Effect("muzzleflash", 1, message("muzzleflash", entity=20, value=1), actor2("models/monsters/soldier/tris.md2")),
    Effect("muzzleflash-login", 3, message("muzzleflash", entity=20, value=9), actor2("models/objects/dmspot/tris.md2")),
    Effect("muzzlflash2", 1, message("muzzlflash2", entity=20, value=26), actor2("models/monsters/soldier/tris.md2")),
]


def quake2_text(effects):
    """The text of a recording, and the moment of each picture. The engine takes the picture before the block with the
    command is drawn, and the effects of a block begin a tenth of a second late: ours are as old some blocks before."""
    text = []

    def block(body):
        text.append("block {\n" + body + "}\n")

    def config(index, string):
        return f' configstring {{\n  index {index};\n  string "{string}";\n }}\n'

    strings = [(0, "Effects"), (2, "unit1_"), (30, "1"), (33, "maps/oracle2.bsp")]
    strings += [(34 + at, model) for at, model in enumerate(MODELS2)] + [(1312, "player\\\\male/grunt")]
    data = ' serverdata {\n  serverversion 34;\n  key 1;\n  isdemo 1;\n  game "";\n  client 0;\n  mapname "";\n }\n'
    block(data + "".join(config(*string) for string in strings) + ' stufftext "precache\\n";\n')
    number, shots = 0, {}
    for effect in effects:
        for step in range(-GAP, effect.after + 3):
            number += 1
            body = f" frame {{\n  seq1 {number};\n  seq2 -1;\n  uk_b1 0;\n  areas 0xFE 0xFF 0xFF 0xFF;\n }}\n"
            body += f" playerinfo {{\n  pm_type 4;\n  origin {vector(CAMERA2)};\n  viewoffset 0.0 0.0 22.0;\n"
            body += "  viewangles 0.0 90.0 0.0;\n  fov 90;\n }\n"
            entity = effect.entity(step) if effect.entity and step >= 0 else ""
            body += " packetentities {\n" + entity.replace("\n ", "\n  ") + " }\n" if entity else " packetentities;\n"
            if step == 0:
                body += effect.first
            if step == effect.after:
                late = 1 if effect.entity or effect.after == 1 else 2
                shots[effect.name] = f"#{len(text) - late}"
                if effect.after == 1:
                    # An effect that exists for one picture only is visible at the beginning of its block.
                    shots[effect.name] = f"+{(len(text) - 2) / 10 + 0.005:.3f}"
                body += ' stufftext "screenshot png\\n";\n'
            block(body)
    text.append("endblock;\n")
    return "".join(text), shots


def recording(text, name):
    path = WORK / name
    path.with_suffix(".txt").write_text(text)
    subprocess.run([MOVIOLA, "compile", path.with_suffix(".txt"), "-o", path, "--force", "-q"], check=True)
    return path


def ours(demo, shots, game, folder):
    """Our pictures, in the order of the shots."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    switches = "--hud off --texts off --sway off --fog off --lit off --fov 90".split()
    size = ["--size", f"{SIZE[0]}x{SIZE[1]}", "-o", folder / "x.png", "-q"]
    if game.name == "baseq2":
        switches[switches.index("--lit") + 1] = "on"
    subprocess.run([MOVIOLA, "still", demo, *shots.values(), "--game", game, "--game", stand_ins() / game.name, *switches, *size], check=True)
    return [folder / f"x-{number + 1}.png" for number in range(len(shots))]


def stand_ins():
    """Models that the free data lacks, each played by another one: a folder of games."""
    folder = WORK / "stand-ins"
    for new, old in STAND_INS.items():
        path = folder / new
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(GAME / old, path)
    voor = folder / "id1/progs/v_spike.mdl"
    data = bytearray(voor.read_bytes())
    # The flags of an MDL are at byte 76; 128 means the trail of a Vore's ball.
    data[76:80] = (128).to_bytes(4, "little")
    voor.write_bytes(data)
    return folder


class Window:
    """An engine that plays a recording and quits."""

    def __init__(self, box, engine, game, pictures):
        self.box, self.engine, self.pictures = box, engine, pictures
        for folder in (game, stand_ins() / game.name):
            shutil.copytree(folder, pathlib.Path(engine.base) / game.name, dirs_exist_ok=True)
        for folder, _, files in os.walk(engine.base):
            os.chmod(folder, 0o755)
            for file in files:
                path = os.path.join(folder, file)
                os.chmod(path, os.stat(path).st_mode | 0o600)

    def theirs(self, demo, command, count, folder):
        self.engine.place(demo.read_bytes())
        self.box.own(self.engine.base)
        with open(WORK / "engine.log", "wb") as log:
            process = self.box.popen(command, self.engine.base, log)
            deadline = time.monotonic() + PATIENCE
            while process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.2)
            self.box.stop(process)
        found = sorted(pathlib.Path(self.box.dir).rglob(self.pictures))
        if len(found) != count:
            raise SystemExit(f"{len(found)} pictures of {count}")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        return [pathlib.Path(shutil.copy(path, folder)) for path in found]


def quakespasm(box):
    engine = play.Quake(box)
    window = Window(box, engine, GAME / "id1", "spasm*.png")
    settings = ("cl_nolerp 1\nscr_conspeed 100000\nhost_maxfps 1000\nviewsize 120\ncrosshair 0\nfov 90\nfov_adapt 1\n"
                "r_lerpmodels 0\nr_lerpmove 0\nfog 0\ncl_bob 0\ncl_rollangle 0\nv_kicktime 0\nv_idlescale 0\n"
                "gamma 1\ncontrast 1\ncon_notifytime 0\nscr_showfps 0\nr_particles 1\ngl_flashblend 0\n")  # fmt: skip
    for lit in (pathlib.Path(engine.base) / "id1/maps").glob("*.lit"):
        lit.unlink()

    def run(demo, blocks, count, folder):
        (pathlib.Path(engine.base) / "id1/effects.cfg").write_text(settings + "timedemo oracle_in\n")
        size = ["-width", str(SIZE[0]), "-height", str(SIZE[1])]
        quiet = ["-nosound", "-nocdaudio", "-noudp", "-nojoy", "-condebug"]
        command = [engine.exe, "-basedir", engine.base, "-window", *size, *quiet, "+exec", "effects.cfg"]
        return window.theirs(demo, command, count, folder)

    return run


def yamagi(box):
    engine = play.Quake2(box)
    window = Window(box, engine, GAME / "baseq2", "q2_*.png")

    def run(demo, blocks, count, folder):
        command = engine.command({"blocks": blocks})
        config = pathlib.Path(engine.base) / "baseq2/config.cfg"
        sets = {"horplus": 0, "r_gunfov": -1, "r_hudscale": 1, "gl1_overbrightbits": 0, "gl1_intensity": 2,
                "vid_gamma": 1, "crosshair": 0, "scr_centertime": 0, "cl_drawfps": 0, "con_notifytime": 0,
                "viewsize": 100, "gl1_polyblend": 1}  # fmt: skip
        config.write_text(config.read_text() + "".join(f'set {name} "{value}"\n' for name, value in sets.items()))
        return window.theirs(demo, command, count, folder)

    return run


class DarkPlaces:
    """DarkPlaces as Debian has it, with the free data as its only game."""

    def __init__(self, box):
        self.exe = "/usr/games/darkplaces"
        self.base = os.path.join(box.dir, "dp")
        os.makedirs(os.path.join(self.base, "id1"))

    def place(self, demo):
        (pathlib.Path(self.base) / "id1/effects.dem").write_bytes(demo)


def darkplaces(box):
    engine = DarkPlaces(box)
    window = Window(box, engine, GAME / "id1", "dp2*.png")
    settings = ("viewsize 120\ncrosshair 0\nfov 90\ncl_particles_quake 1\nscr_screenshot_jpeg 0\nscr_screenshot_png 1\n"
                "scr_conspeed 100000\ncon_notify 0\nshowfps 0\ncl_bob 0\nr_drawviewmodel 0\ncl_nolerp 1\n")  # fmt: skip

    def run(demo, blocks, count, folder):
        (pathlib.Path(engine.base) / "id1/effects.cfg").write_text(settings + "timedemo effects\n")
        (pathlib.Path(engine.base) / "id1/quake.rc").write_text("exec default.cfg\nstuffcmds\n")
        size = ["+vid_fullscreen", "0", "+vid_width", str(SIZE[0]), "+vid_height", str(SIZE[1])]
        places = ["-basedir", engine.base, "-userdir", os.path.join(box.dir, "dp-home")]
        command = [engine.exe, *places, "-nosound", *size, "+exec", "effects.cfg"]
        return window.theirs(demo, command, count, folder)

    return run


def pair(one, other, out):
    width, height = CROP
    crop = f"crop={width}:{height}"
    graph = f"[0]{crop}[a];[1]{crop}[b];[a][b]hstack"
    words = ["-filter_complex", graph, "-c:v", "libwebp", "-quality", "72", "-frames:v", "1", out]
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", one, "-i", other, *words], check=True)


def main():
    WORK.mkdir(parents=True, exist_ok=True)
    games = [
        ("quake", "effects.dem", "id1", QUAKE, quake_text, quakespasm),
        ("darkplaces", "effects-darkplaces.dem", "id1", DARKPLACES, darkplaces_text, darkplaces),
        ("quake2", "effects.dm2", "baseq2", QUAKE2, quake2_text, yamagi),
    ]
    for name, file, data, effects, text, engine in games:
        if ONLY and name not in ONLY:
            continue
        written, shots = text(effects)
        demo = recording(written, file)
        mine = ours(demo, shots, GAME / data, WORK / f"{name}-ours")
        theirs = WORK / f"{name}-theirs"
        if not os.environ.get("MOVIOLA_KEEP_ENGINES"):
            box = play.Sandbox()
            try:
                box.start_x()
                engine(box)(demo, written.count("\nblock {"), len(shots), theirs)
            finally:
                box.close()
        out = OUT / name
        out.mkdir(parents=True, exist_ok=True)
        for effect, one, other in zip(shots, mine, sorted(theirs.glob("*.png"))):
            pair(one, other, out / f"{effect.lower()}.webp")
        print(f"{len(shots)} pictures of {name}")


main()
