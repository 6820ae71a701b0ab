// Quake, QuakeWorld and Quake II recordings: a summary, events, tables and text.
//
// A damaged recording gives what can be read of it; bytes that are no recording give a summary that says so, no events
// and no rows.
import * as wasm from "../wasm/moviola_node.js";
import type { Event } from "./events.js";
import type { Info } from "./info.js";
import type { Tables } from "./tables.js";

export type { Event, EventKind } from "./events.js";
export type { Info, Level } from "./info.js";
export type { Tables } from "./tables.js";

/** The name of a table. */
export type TableName = keyof Tables;

/** The names of all tables. */
export const TABLES: readonly TableName[] = wasm.tableNames() as TableName[];

/** The version of the tables and their columns. */
export const SCHEMA_VERSION: number = wasm.schemaVersion();

/** A mistake in a text, or another reason why something could not be done. */
export interface Mistake {
  /** Its code, such as `T002`, which `moviola explain` describes. */
  readonly code: string;
  readonly message: string;
  /** The line, and the byte in it, both counted from 1. */
  readonly line: number;
  readonly column: number;
  /** The length in bytes. */
  readonly length: number;
  /** A hint about the correction. */
  readonly help: string | null;
}

/** An error in the words of the program. */
export class MoviolaError extends Error {
  override readonly name = "MoviolaError";

  constructor(
    message: string,
    /** All mistakes of the text; empty if something else is wrong. */
    readonly mistakes: readonly Mistake[] = [],
  ) {
    super(message);
  }

  /** The code of the first mistake. */
  get code(): string | undefined {
    return this.mistakes[0]?.code;
  }
}

/** The summary of a recording (format, protocol, engine, maps, players, length), as `moviola info --json` prints it. */
export function info(bytes: Uint8Array): Info {
  return JSON.parse(attempt(() => wasm.info(bytes))) as Info;
}

/** The events of a recording, as `moviola events --json` prints them. */
export function events(bytes: Uint8Array): Event[] {
  return JSON.parse(attempt(() => wasm.events(bytes))) as Event[];
}

/** A recording as text. */
export function decompile(bytes: Uint8Array): string {
  return attempt(() => wasm.decompile(bytes));
}

/** A text as a recording; `compile(decompile(bytes))` has the same bytes. */
export function compile(text: string): Uint8Array {
  try {
    return wasm.compile(text);
  } catch (why) {
    if (typeof why !== "string") throw why;
    const mistakes = JSON.parse(why) as Mistake[];
    const lines = mistakes.map(({ line, column, code, message }) => `${line}:${column}: ${code}: ${message}`);
    throw new MoviolaError(lines.join("\n"), mistakes);
  }
}

/** The columns of a table: typed arrays of numbers where no cell may be empty, else arrays in which an empty cell is null. */
export type Columns<Row> = { readonly [K in keyof Row]: ArrayLike<Row[K]> };

/** The rows of a table. */
export interface Table<Row> extends Iterable<Row> {
  /** How many there are. */
  readonly length: number;
  readonly columns: Columns<Row>;
  /** The row with this number, counted from 0. */
  row(index: number): Row;
}

/** One of the tables of `moviola export`. */
export function table<Name extends TableName>(bytes: Uint8Array, name: Name): Table<Tables[Name]> {
  const made = attempt(() => wasm.Table.of(bytes, name));
  if (made === undefined) {
    throw new MoviolaError(`no table is called \`${name}\`: there are ${TABLES.join(", ")}`);
  }
  try {
    return rowsOf<Tables[Name]>(made);
  } finally {
    made.free();
  }
}

function rowsOf<Row>(made: wasm.Table): Table<Row> {
  const names = made.names() as (keyof Row & string)[];
  const columns = Object.fromEntries(names.map((name, at) => [name, columnOf(made, at)])) as Columns<Row>;
  const length = made.rows;
  const row = (index: number): Row =>
    Object.fromEntries(names.map((name) => [name, columns[name][index]])) as Row;
  return {
    length,
    columns,
    row(index: number): Row {
      if (!(Number.isInteger(index) && index >= 0 && index < length)) {
        throw new RangeError(`there is no row ${index}: there are ${length}`);
      }
      return row(index);
    },
    *[Symbol.iterator]() {
      for (let index = 0; index < length; index++) yield row(index);
    },
  };
}

function columnOf(made: wasm.Table, at: number): ArrayLike<unknown> {
  const values = made.values(at) as ArrayLike<number>;
  const there = made.there(at);
  const kind = made.kind(at);
  if (kind === "number" && there === undefined) return values;
  const distinct = kind === "text" ? (JSON.parse(made.distinct(at)) as unknown[]) : [];
  const cell = (value: number): unknown =>
    kind === "text" ? distinct[value] : kind === "bool" ? value !== 0 : value;
  return Array.from(values, (value, row) => (there?.[row] === 0 ? null : cell(value)));
}

/** Calls the library, whose errors are strings. */
function attempt<T>(call: () => T): T {
  try {
    return call();
  } catch (why) {
    throw typeof why === "string" ? new MoviolaError(why) : why;
  }
}
