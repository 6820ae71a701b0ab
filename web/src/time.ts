// Moments as people read and write them.

/** 72.5 becomes 1:12.50; hours are shown only if there are any. */
export function clock(seconds: number, digits = 2): string {
  const scale = 10 ** digits;
  const ticks = Math.round(Math.max(0, seconds) * scale);
  const whole = Math.floor(ticks / scale);
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  const two = (n: number) => String(n).padStart(2, "0");
  const fraction = digits === 0 ? "" : `.${String(ticks % scale).padStart(digits, "0")}`;
  const start = hours > 0 ? `${hours}:${two(minutes)}` : String(minutes);
  return `${start}:${two(whole % 60)}${fraction}`;
}

/** 1:12.5, 72.5 or 1:02:03 as seconds; null where it is not a moment. */
export function parseClock(text: string): number | null {
  if (!/^(\d+:){0,2}\d+(\.\d+)?$/.test(text)) return null;
  return text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
}

/** For a screen reader: "1 minute 12.5 seconds". */
export function spoken(seconds: number): string {
  const tenths = Math.round(seconds * 10);
  const minutes = Math.floor(tenths / 600);
  const rest = `${((tenths % 600) / 10).toFixed(1)} seconds`;
  if (minutes === 0) return rest;
  return `${minutes} ${minutes === 1 ? "minute" : "minutes"} ${rest}`;
}

export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`;
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}
