// The worker: Python, with one session on the text.  Questions and answers are JSON; the page sends one at a time.
import { loadPyodide } from "./runtime/pyodide.mjs";

const here = new URL("./", import.meta.url);

async function bytes(name) {
  const answer = await fetch(new URL(name, here));
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer.arrayBuffer();
}

async function start() {
  const [python, archive, source] = await Promise.all([
    loadPyodide({ indexURL: new URL("runtime/", here).href }),
    bytes("runtime/jaxlint.zip"),
    bytes("session.py"),
  ]);
  python.unpackArchive(archive, "zip", { extractDir: "/code" });
  python.FS.writeFile("/code/session.py", new Uint8Array(source));
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
started.catch(() => {}); // whoever asks is told
let session, shown;

async function answer(question) {
  const python = await started;
  if (question.do === "warm up") {
    try {
      python.unpackArchive(await bytes("runtime/libcst.zip"), "zip", { extractDir: "/code" });
    } catch (error) {
      return { error: `Fixes cannot be made here: ${error.message}.` }; // all else goes on
    }
  }
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
