// Unpacks the script of this page, which is deflated, and runs it.  In it are berth,
// Apache ECharts (Apache License 2.0), ZRender (BSD 3-Clause) and tslib (0BSD), with
// their licences at its head.
(async () => {
  if (typeof DecompressionStream === "undefined") {
    throw new Error("This browser is too old for the charts (it has no DecompressionStream); the tables are complete.");
  }
  const packed = document.getElementById("script");
  const response = await fetch(`data:application/octet-stream;base64,${packed.textContent}`);
  const stream = response.body.pipeThrough(new DecompressionStream("deflate"));
  const bytes = await new Response(stream).arrayBuffer();
  packed.remove();
  const script = document.createElement("script");
  script.src = URL.createObjectURL(new Blob([bytes], { type: "text/javascript" }));
  await new Promise((done, failed) => {
    script.onload = done;
    script.onerror = () => failed(new Error("The browser does not run the script of this page; the tables are complete."));
    document.head.append(script);
  });
  URL.revokeObjectURL(script.src);
})().catch((error) => {
  const trouble = document.getElementById("trouble");
  trouble.textContent = error.message;
  trouble.hidden = false;
  document.documentElement.dataset.painted = "failed";
});
