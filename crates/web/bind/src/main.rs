//! Generates the JavaScript bindings of the exports: `moviola-web-bind web|node IN.wasm FOLDER`.
#![forbid(unsafe_code)]

use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [place, wasm, folder] = words.as_slice() else {
        eprintln!("usage: moviola-web-bind web|node IN.wasm FOLDER");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(wasm);
    let bindings = if place == "node" { bindgen.nodejs_module(true) } else { bindgen.web(true) };
    let written = bindings.and_then(|it| {
        it.typescript(true)
            .omit_default_module_path(true)
            // The names of functions are kept: `shrink` in web/package.json sorts the functions by them and then
            // removes them.
            .remove_name_section(false)
            .remove_producers_section(true);
        it.generate(folder)
    });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}
