/* tslint:disable */
/* eslint-disable */

/**
 * An open recording.
 */
export class Deck {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The facts about the recording, as JSON.
     */
    about(): string;
    /**
     * Adds an archive or a file of the game.
     */
    addGame(name: string, bytes: Uint8Array | number[]): void;
    /**
     * The last block that is seen at a moment.
     */
    blockAt(seconds: number): number;
    /**
     * The script with a camera at a place, which is x, y and z, and pitch, yaw and roll.
     */
    camera(script: string, seconds: number, place: Float32Array | number[]): string;
    /**
     * Draws a moment.
     */
    draw(seconds: number, view: any): Frame;
    /**
     * Carries out an edit script on the recording as it was opened; returns its mistakes as JSON.
     */
    edit(script: string): string;
    /**
     * The place and the angles of the eye of the last picture.
     */
    eye(): Float32Array;
    /**
     * What report and check say of the recording, as JSON.
     */
    inspect(): string;
    /**
     * The game's files that were missing or damaged so far.
     */
    missing(): string;
    /**
     * Facts about the last edits that a person should know, each with its line, as JSON.
     */
    notes(): string;
    /**
     * Opens a recording; in an archive with several the name tells which.
     */
    static open(name: string, bytes: Uint8Array | number[]): Deck;
    /**
     * The line of a script that puts a text in the place of a block, or the text's mistakes, as JSON.
     */
    replace(block: number, text: string): string;
    /**
     * The recording as the edits make it.
     */
    save(): Uint8Array;
    /**
     * When a block is seen.
     */
    secondsOf(block: number): number;
    /**
     * The sound from a moment on, in samples for left and right by turns, 48000 a second each.
     */
    sound(from: number, seconds: number, view: any): Int16Array;
    /**
     * The part between two moments, in the words of scripts.
     */
    span(from: number, to: number): string;
    /**
     * The subtitles of a script as a file.
     */
    srt(script: string): string;
    /**
     * A hash of the state at a moment.
     */
    stateHash(seconds: number): string;
    /**
     * The line of a script that shows a text from a moment on.
     */
    subtitle(seconds: number, length: number, text: string): string;
    /**
     * The text of a block.
     */
    text(block: number): string;
    /**
     * The events of the recording, as JSON.
     */
    timeline(): string;
}

/**
 * A picture.
 */
export class Frame {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Red, green, blue and opacity of each pixel.
     */
    rgba(): Uint8ClampedArray;
    /**
     * The height in pixels.
     */
    readonly height: number;
    /**
     * The width in pixels.
     */
    readonly width: number;
}

/**
 * Says what a file is, as JSON.
 */
export function look(name: string, bytes: Uint8Array | number[]): string;

export type InitInput = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;

export interface InitOutput {
    readonly memory: WebAssembly.Memory;
    readonly __wbg_deck_free: (a: number, b: number) => void;
    readonly __wbg_frame_free: (a: number, b: number) => void;
    readonly deck_about: (a: number) => [number, number];
    readonly deck_addGame: (a: number, b: number, c: number, d: number, e: number) => [number, number];
    readonly deck_blockAt: (a: number, b: number) => number;
    readonly deck_camera: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number, number, number];
    readonly deck_draw: (a: number, b: number, c: any) => number;
    readonly deck_edit: (a: number, b: number, c: number) => [number, number];
    readonly deck_eye: (a: number) => [number, number];
    readonly deck_inspect: (a: number) => [number, number, number, number];
    readonly deck_missing: (a: number) => [number, number];
    readonly deck_notes: (a: number) => [number, number];
    readonly deck_open: (a: number, b: number, c: number, d: number) => [number, number, number];
    readonly deck_replace: (a: number, b: number, c: number, d: number) => [number, number];
    readonly deck_save: (a: number) => [number, number];
    readonly deck_secondsOf: (a: number, b: number) => number;
    readonly deck_sound: (a: number, b: number, c: number, d: any) => [number, number];
    readonly deck_span: (a: number, b: number, c: number) => [number, number];
    readonly deck_srt: (a: number, b: number, c: number) => [number, number];
    readonly deck_stateHash: (a: number, b: number) => [number, number];
    readonly deck_subtitle: (a: number, b: number, c: number, d: number, e: number) => [number, number, number, number];
    readonly deck_text: (a: number, b: number) => [number, number];
    readonly deck_timeline: (a: number) => [number, number];
    readonly frame_height: (a: number) => number;
    readonly frame_rgba: (a: number) => any;
    readonly frame_width: (a: number) => number;
    readonly look: (a: number, b: number, c: number, d: number) => [number, number];
    readonly __wbindgen_malloc: (a: number, b: number) => number;
    readonly __wbindgen_realloc: (a: number, b: number, c: number, d: number) => number;
    readonly __wbindgen_free: (a: number, b: number, c: number) => void;
    readonly __wbindgen_exn_store: (a: number) => void;
    readonly __externref_table_alloc: () => number;
    readonly __wbindgen_externrefs: WebAssembly.Table;
    readonly __externref_table_dealloc: (a: number) => void;
    readonly __wbindgen_start: () => void;
}

export type SyncInitInput = BufferSource | WebAssembly.Module;

/**
 * Instantiates the given `module`, which can either be bytes or
 * a precompiled `WebAssembly.Module`.
 *
 * @param {{ module: SyncInitInput }} module - Passing `SyncInitInput` directly is deprecated.
 *
 * @returns {InitOutput}
 */
export function initSync(module: { module: SyncInitInput } | SyncInitInput): InitOutput;

/**
 * If `module_or_path` is {RequestInfo} or {URL}, makes a request and
 * for everything else, calls `WebAssembly.instantiate` directly.
 *
 * @param {{ module_or_path: InitInput | Promise<InitInput> }} module_or_path - Passing `InitInput` directly is deprecated.
 *
 * @returns {Promise<InitOutput>}
 */
export default function __wbg_init (module_or_path: { module_or_path: InitInput | Promise<InitInput> } | InitInput | Promise<InitInput>): Promise<InitOutput>;
