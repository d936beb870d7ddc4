// Unpacks the script of this page, which is deflated, and runs it.

// The bytes of a zlib stream in base64.  The modules of the page call it, too.  A fetch of
// a data address is the slower way, for browsers without fromBase64.
async function inflated(base64) {
  const packed = Uint8Array.fromBase64?.(base64)
    ?? new Uint8Array(await (await fetch(`data:application/octet-stream;base64,${base64}`)).arrayBuffer());
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// The page says what went wrong; the modules call this, too.
function sayTrouble(error) {
  const trouble = document.getElementById("trouble");
  trouble.textContent = error.message;
  trouble.hidden = false;
  document.documentElement.dataset.painted = "failed";
}

(async () => {
  if (typeof DecompressionStream === "undefined") {
    throw new Error("This browser is too old for the charts (it has no DecompressionStream); the tables are complete.");
  }
  const packed = document.getElementById("script");
  const bytes = await inflated(packed.textContent);
  packed.remove();
  const script = document.createElement("script");
  script.src = URL.createObjectURL(new Blob([bytes], { type: "text/javascript" }));
  await new Promise((done, failed) => {
    script.onload = done;
    script.onerror = () => failed(new Error("The browser does not run the script of this page; the tables are complete."));
    document.head.append(script);
  });
  URL.revokeObjectURL(script.src);
})().catch(sayTrouble);
