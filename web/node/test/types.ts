// The compiler's answers to uses of the package, right ones and wrong ones; it is only compiled.
import { compile, type Event, events, info, MoviolaError, TABLES, type TableName, table } from "moviola";

const bytes = new Uint8Array();

export const maps: string[] = info(bytes).maps;
export const side: "client" | "server" | "relay" | "network" | "unknown" = info(bytes).side;

export function weapons(all: Event[]): (string | undefined)[] {
  return all.flatMap((event) => (event.kind === "kill" ? [event.weapon] : []));
}
weapons(events(bytes));

for (const kill of table(bytes, "kills")) {
  const attacker: string | null = kill.attacker;
  const isSuicide: boolean = kill.is_suicide;
  use(attacker, isSuicide);
}
const x: ArrayLike<number> = table(bytes, "positions").columns.x;
const maybe: ArrayLike<number | null> = table(bytes, "kills").columns.distance;
const lists: string[] = table(bytes, "entities").row(0).effects;
const names: readonly TableName[] = TABLES;
use(x, maybe, lists, names);

// @ts-expect-error: there is no such table
table(bytes, "kill");
// @ts-expect-error: a cell that may be empty is not a number
use(((cell: number) => cell)(table(bytes, "kills").row(0).distance));
// @ts-expect-error: a text is no recording
info("run.dem");

try {
  compile("");
} catch (why) {
  if (why instanceof MoviolaError) use(why.code, why.mistakes[0]?.line);
}

function use(...values: unknown[]): void {
  void values;
}
