//! In a list, removal ends an entity's record on the wire, so a text that gives it more fields must not lose them
//! in silence.

use moviola_text::{CompileOptions, compile};

fn compiled(entity: &str) -> Option<Vec<u8>> {
    let text = format!("block {{ packetentities {{ packetentity {{ {entity} }} }} }}\nendblock;\n");
    let mut out = Vec::new();
    compile(text.as_bytes(), &mut out, &CompileOptions::default()).ok().map(|_| out)
}

#[test]
fn fields_of_a_removed_entity_are_refused() {
    assert_eq!(compiled("entity 5; remove;").unwrap(), b"\x05\0\0\0\x12\x40\x05\0\0\xff\xff\xff\xff");
    assert_eq!(
        compiled("entity 5; origin_x 1.0;").unwrap(),
        b"\x07\0\0\0\x12\x01\x05\x08\0\0\0\xff\xff\xff\xff"
    );
    assert_eq!(compiled("entity 5; remove; origin_x 1.0;"), None);
}
