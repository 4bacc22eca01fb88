// The worker: Python, with one session on the text.  Questions and answers are JSON; the page sends one at a time.
import { loadPyodide } from "./runtime/pyodide.mjs";

const here = new URL("./", import.meta.url);

async function bytes(name) {
  const answer = await fetch(new URL(name, here));
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer.arrayBuffer();
}

async function start() {
  const archive = bytes("runtime/jaxlint.zip");
  const source = bytes("session.py");
  const python = await loadPyodide({ indexURL: new URL("runtime/", here).href });
  python.unpackArchive(await archive, "zip", { extractDir: "/code" });
  python.FS.writeFile("/code/session.py", new Uint8Array(await source));
  // libcst's parser in Python: the other one is compiled, for other machines.
  python.runPython(`
    import os, sys
    os.environ["LIBCST_PARSER_TYPE"] = "pure"
    os.makedirs("/playground")
    os.chdir("/playground")
    sys.path.insert(0, "/code")
    from session import Playground
  `);
  return python;
}

const started = start();
let session, shown;

async function answer(question) {
  const python = await started;
  if (question.do === "warm up") python.unpackArchive(await bytes("runtime/libcst.zip"), "zip", { extractDir: "/code" });
  const wanted = `${question.possible} ${question.preview}`;
  if (!session || wanted !== shown) {
    session?.destroy();
    session = python.globals.get("Playground")("/playground", question.possible, question.preview);
    shown = wanted;
  }
  return JSON.parse(session.answer(JSON.stringify(question)));
}

onmessage = async ({ data }) => {
  try {
    postMessage({ id: data.id, ...(await answer(data)) });
  } catch (error) {
    // Python has ended, or never began: the page starts another worker.
    postMessage({ id: data.id, fatal: String(error.message ?? error).split("\n")[0] });
  }
};
