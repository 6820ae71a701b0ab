//! Counts instructions with valgrind on committed samples. The counts have no noise, so commits can be compared.

#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "the macros of gungraun make public functions")]

use gungraun::{library_benchmark, library_benchmark_group, main};
use moviola_benches::{Input, committed, one_block};
use std::hint::black_box;

const DEM: &str = "qs_15_lq_e0m9.dem";
const DM2: &str = "yq_sp.dm2";
const QWD: &str = "ez_duo_lqdm2.qwd";
const MVD: &str = "mvdsv_bots_lqdm2.mvd";

#[library_benchmark]
#[bench::dem(args = (DEM), setup = committed)]
#[bench::dm2(args = (DM2), setup = committed)]
#[bench::qwd(args = (QWD), setup = committed)]
#[bench::mvd(args = (MVD), setup = committed)]
fn read(input: Input) -> (usize, Input) {
    (moviola_benches::read(black_box(&input)), input)
}

#[library_benchmark]
#[bench::dem(args = (DEM), setup = committed)]
#[bench::dm2(args = (DM2), setup = committed)]
#[bench::qwd(args = (QWD), setup = committed)]
#[bench::mvd(args = (MVD), setup = committed)]
fn read_write(input: Input) -> (usize, Input) {
    (moviola_benches::read_write(black_box(&input)), input)
}

#[library_benchmark]
#[bench::dem(args = (DEM), setup = committed)]
#[bench::dm2(args = (DM2), setup = committed)]
#[bench::qwd(args = (QWD), setup = committed)]
#[bench::mvd(args = (MVD), setup = committed)]
fn count_prints(input: Input) -> (usize, Input) {
    (moviola_benches::count_prints(black_box(&input)), input)
}

#[library_benchmark]
#[bench::dem(args = (DEM), setup = committed)]
#[bench::dm2(args = (DM2), setup = committed)]
#[bench::qwd(args = (QWD), setup = committed)]
#[bench::mvd(args = (MVD), setup = committed)]
fn events(input: Input) -> (usize, Input) {
    (moviola_benches::events(black_box(&input)), input)
}

#[library_benchmark]
#[bench::dem(args = (DEM), setup = committed)]
#[bench::dm2(args = (DM2), setup = committed)]
#[bench::qwd(args = (QWD), setup = committed)]
#[bench::mvd(args = (MVD), setup = committed)]
fn cut(input: Input) -> (u64, Input) {
    (moviola_benches::cut(black_box(&input)), input)
}

#[library_benchmark]
#[bench::dem(args = (DEM), setup = committed)]
#[bench::dm2(args = (DM2), setup = committed)]
#[bench::qwd(args = (QWD), setup = committed)]
#[bench::mvd(args = (MVD), setup = committed)]
fn memcpy(input: Input) -> (Vec<u8>, Input) {
    let mut to = Vec::new();
    moviola_benches::copy(&input, &mut to);
    (to, input)
}

#[library_benchmark]
#[bench::dem(args = (DEM), setup = committed)]
#[bench::dm2(args = (DM2), setup = committed)]
#[bench::qwd(args = (QWD), setup = committed)]
#[bench::mvd(args = (MVD), setup = committed)]
fn decompile(input: Input) -> (Vec<u8>, Input) {
    let mut text = Vec::new();
    moviola_benches::decompile(black_box(&input), false, &mut text);
    (text, input)
}

#[library_benchmark]
#[bench::of_64(args = (64), setup = one_block)]
#[bench::of_64000(args = (64_000), setup = one_block)]
fn decompile_block(input: Input) -> (Vec<u8>, Input) {
    let mut text = Vec::new();
    moviola_benches::decompile(black_box(&input), false, &mut text);
    (text, input)
}

fn text_of(name: &str) -> Vec<u8> {
    text(&committed(name))
}

fn text_of_block(messages: usize) -> Vec<u8> {
    text(&one_block(messages))
}

fn text(input: &Input) -> Vec<u8> {
    let mut text = Vec::new();
    moviola_benches::decompile(input, false, &mut text);
    text
}

#[library_benchmark]
#[bench::of_64(args = (64), setup = text_of_block)]
#[bench::of_64000(args = (64_000), setup = text_of_block)]
fn compile_block(text: Vec<u8>) -> (Vec<u8>, Vec<u8>) {
    let mut recording = Vec::new();
    moviola_benches::compile(black_box(&text), &mut recording);
    (recording, text)
}

#[library_benchmark]
#[bench::dem(args = (DEM), setup = text_of)]
#[bench::dm2(args = (DM2), setup = text_of)]
#[bench::qwd(args = (QWD), setup = text_of)]
#[bench::mvd(args = (MVD), setup = text_of)]
fn compile(text: Vec<u8>) -> (Vec<u8>, Vec<u8>) {
    let mut recording = Vec::new();
    moviola_benches::compile(black_box(&text), &mut recording);
    (recording, text)
}

library_benchmark_group!(
    name = jobs,
    benchmarks = [
        read,
        read_write,
        count_prints,
        events,
        cut,
        decompile,
        compile,
        decompile_block,
        compile_block,
        memcpy
    ]
);
main!(library_benchmark_groups = jobs);
