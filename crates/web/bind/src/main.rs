//! Makes the JavaScript side of the exports: `moviola-web-bind IN.wasm FOLDER`.
#![forbid(unsafe_code)]

use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [wasm, folder] = words.as_slice() else {
        eprintln!("usage: moviola-web-bind IN.wasm FOLDER");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    let made = bindgen.input_path(wasm).web(true).and_then(|it| {
        it.typescript(true)
            .omit_default_module_path(true)
            // The functions are sorted by their names, and then these go: see `shrink` in web/package.json.
            .remove_name_section(false)
            .remove_producers_section(true);
        it.generate(folder)
    });
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}
