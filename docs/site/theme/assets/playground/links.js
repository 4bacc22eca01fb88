// A text in the address: packed, behind the `#`, which no server is sent.
export const MAX_TEXT = 200_000;

export async function packed(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

// Throws for what no link of this page has in it.  No more is unpacked than a text may have.
export async function unpacked(text) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let made = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    made += decoder.decode(part.value, { stream: true });
    if (made.length > MAX_TEXT) {
      await reader.cancel();
      throw new RangeError("too long");
    }
  }
  return made + decoder.decode();
}
