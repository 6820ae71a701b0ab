//! Speed in MB/s, for people and a quiet machine; `docs/performance.md` has figures.

#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "the macros of criterion make public functions")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use moviola_benches::{
    chosen, compile, compile_pressed, copy, count_prints, cut, decompile, decompile_pressed, events,
    one_block, pressed, read, read_write, report, step,
};
use std::hint::black_box;

fn speed(criterion: &mut Criterion) {
    for input in chosen() {
        let mut group = criterion.benchmark_group(&input.name);
        group.throughput(Throughput::Bytes(input.bytes.len() as u64));
        group.bench_function("read", |bench| bench.iter(|| read(black_box(&input))));
        group.bench_function("read_write", |bench| bench.iter(|| read_write(black_box(&input))));
        group.bench_function("count_prints", |bench| bench.iter(|| count_prints(black_box(&input))));
        group.bench_function("step", |bench| bench.iter(|| step(&input)));
        group.bench_function("events", |bench| bench.iter(|| events(&input)));
        group.bench_function("report", |bench| bench.iter(|| report(&input)));
        group.bench_function("cut", |bench| bench.iter(|| cut(&input)));
        let mut to = Vec::with_capacity(input.bytes.len());
        group.bench_function("memcpy", |bench| bench.iter(|| copy(&input, &mut to)));
        let (mut text, mut back) = (Vec::new(), Vec::new());
        group.bench_function("decompile_bare", |bench| bench.iter(|| decompile(&input, true, &mut text)));
        group.bench_function("decompile", |bench| bench.iter(|| decompile(&input, false, &mut text)));
        // Needed even if only this bench was requested.
        decompile(&input, false, &mut text);
        group.bench_function("compile", |bench| bench.iter(|| compile(&text, &mut back)));
        group.finish();
    }
}

/// A block of 64 messages, and a block of 64 000 messages: the time per message should be the same.
fn one_long_block(criterion: &mut Criterion) {
    for messages in [64, 64_000] {
        let input = one_block(messages);
        let mut group = criterion.benchmark_group(&input.name);
        group.throughput(Throughput::Elements(messages as u64));
        let (mut text, mut back) = (Vec::new(), Vec::new());
        group.bench_function("decompile", |bench| bench.iter(|| decompile(&input, false, &mut text)));
        decompile(&input, false, &mut text);
        group.bench_function("compile", |bench| bench.iter(|| compile(&text, &mut back)));
        group.finish();
    }
}

/// DOOM's recordings and their texts.
fn of_input(criterion: &mut Criterion) {
    let recording = pressed(1000);
    let mut group = criterion.benchmark_group("Freedoom's demo 1000 times");
    group.throughput(Throughput::Bytes(recording.len() as u64));
    let (mut text, mut back) = (Vec::new(), Vec::new());
    group.bench_function("decompile", |bench| {
        bench.iter(|| decompile_pressed(black_box(&recording), &mut text));
    });
    decompile_pressed(&recording, &mut text);
    group.bench_function("compile", |bench| bench.iter(|| compile_pressed(black_box(&text), &mut back)));
    group.finish();
}

criterion_group!(benches, speed, one_long_block, of_input);
criterion_main!(benches);
