// The part of the address behind #: a recording by its URL, a moment, and whose eyes see.
import { parseClock } from "./time";

export interface Address {
  src: string | null;
  seconds: number | null;
  who: number | null;
}

export function readAddress(): Address {
  const words = new URLSearchParams(location.hash.slice(1));
  const who = words.get("who");
  return {
    src: words.get("src"),
    seconds: parseClock(words.get("t") ?? ""),
    who: who !== null && /^\d{1,3}$/.test(who) ? Number(who) : null,
  };
}

/** A link to this page with a moment in it. */
export function linkTo(address: Address): string {
  const words = new URLSearchParams();
  if (address.src !== null) words.set("src", address.src);
  if (address.seconds !== null) words.set("t", String(Number(address.seconds.toFixed(2))));
  if (address.who !== null) words.set("who", String(address.who));
  return `${location.href.split("#")[0]}#${words}`;
}

/** Fetches a recording that a link names; throws a sentence. */
export async function fetchRecording(src: string): Promise<{ name: string; file: Blob }> {
  let url: URL;
  try {
    url = new URL(src, location.href);
  } catch {
    throw new Error(`The link names “${src}”, which is not the address of a recording.`);
  }
  if (document.getElementById("moviola-wasm") !== null) {
    throw new Error(`This page fetches nothing. Download ${url.href} yourself and drop the file here.`);
  }
  let response: Response;
  try {
    response = await fetch(url, { credentials: "omit", referrerPolicy: "no-referrer" });
  } catch {
    // A page never learns which of these it is.
    throw new Error(
      `${url.host} gave no recording: it does not answer, or does not allow other sites to read its files ` +
        `(CORS). Download ${url.href} yourself and drop the file here.`,
    );
  }
  if (!response.ok) throw new Error(`${url.href} is not there: the server answers ${response.status}.`);
  const name = decodeURIComponent(url.pathname.split("/").at(-1) || "recording");
  return { name, file: await response.blob() };
}
