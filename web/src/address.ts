// The part of the address after #: the URL of a recording, an edit script, a moment, and the player whose view is
// shown.
import { parseClock } from "./time";

export interface Address {
  src: string | null;
  /** The script of edits. The moment counts in their result. */
  edit: string | null;
  seconds: number | null;
  /** A moment that cannot be read. */
  unreadable: string | null;
  /** The number or the name of a player. */
  who: string | null;
}

export function readAddress(): Address {
  const words = new URLSearchParams(location.hash.slice(1));
  const time = words.get("t") || null;
  const seconds = parseClock(time ?? "");
  return {
    src: words.get("src") || null,
    edit: words.get("edit"),
    seconds,
    unreadable: seconds === null ? time : null,
    who: words.get("who") || null,
  };
}

/** A link to this page with a moment in it. */
export function linkTo(address: Omit<Address, "unreadable">): string {
  const words = new URLSearchParams();
  if (address.src !== null) words.set("src", address.src);
  if (address.edit !== null) words.set("edit", address.edit);
  if (address.seconds !== null) words.set("t", String(Number(address.seconds.toFixed(2))));
  if (address.who !== null) words.set("who", address.who);
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
  if (!/^https?:$/.test(url.protocol) && location.protocol !== url.protocol) {
    throw new Error(`The link names ${url.href}, but a recording is fetched by http or https alone.`);
  }
  if (document.getElementById("moviola-wasm") !== null) {
    throw new Error(`This page fetches nothing. Download ${url.href} yourself and drop the file here.`);
  }
  // Browsers block such a request, so it is not made.
  if (location.protocol === "https:" && url.protocol === "http:") {
    throw new Error(
      `A page of https reads nothing by http. Download ${url.href} yourself and drop the file here.`,
    );
  }
  let response: Response;
  try {
    response = await fetch(url, { credentials: "omit", referrerPolicy: "no-referrer" });
  } catch {
    // The browser does not tell the page which of these reasons it is.
    throw new Error(
      `${url.host} gave no recording: it does not answer, or does not allow other sites to read its files ` +
        `(CORS). Download ${url.href} yourself and drop the file here.`,
    );
  }
  if (!response.ok) throw new Error(`${url.href} is not there: the server answers ${response.status}.`);
  const file = await response.blob().catch(() => {
    throw new Error(`${url.host} broke off in the middle of ${url.href}. Load this page again to try again.`);
  });
  return { name: nameOf(url), file };
}

/** The name of the file at an address. */
export function nameOf(url: URL): string {
  const name = url.pathname.split("/").at(-1) || "recording";
  try {
    return decodeURIComponent(name);
  } catch {
    // A percent sign that begins no escape stands for itself.
    return name;
  }
}
