// Starts `jaxlint server` and connects it with VS Code.  Everything that jaxlint knows, it knows there.

import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";

let client: LanguageClient | undefined;

// Starting again while a start is under way would leave two servers.
let turn: Promise<void> = Promise.resolve();

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const output = vscode.window.createOutputChannel("jaxlint", { log: true });
  const again = () => (turn = turn.then(() => restart(output)));
  context.subscriptions.push(
    output,
    vscode.commands.registerCommand("jaxlint.restart", again),
    vscode.commands.registerCommand("jaxlint.output", () => output.show()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("jaxlint.command")) {
        void again();
      }
    }),
  );
  const python = await pythonExtension();
  if (python !== undefined) {
    context.subscriptions.push(python.environments.onDidChangeActiveEnvironmentPath(again));
  }
  await again();
}

export async function deactivate(): Promise<void> {
  await turn;
  await client?.dispose();
}

async function restart(output: vscode.LogOutputChannel): Promise<void> {
  await client?.dispose();
  client = undefined;
  const [command, ...args] = await serverCommand();
  const server: ServerOptions = { command, args: [...args, "server"] };
  const options: LanguageClientOptions = {
    documentSelector: [
      { language: "python", scheme: "file" },
      { language: "python", scheme: "untitled" },
      { language: "python", scheme: "vscode-notebook-cell" },
    ],
    outputChannel: output,
    traceOutputChannel: output,
  };
  const started = new LanguageClient("jaxlint", "jaxlint", server, options);
  try {
    await started.start();
    client = started;
  } catch (error) {
    output.error(String(error));
    const answer = await vscode.window.showErrorMessage(
      `jaxlint could not be started (${[command, ...args].join(" ")}). ` +
        "Install it in this environment with: pip install 'jaxlint-sharp-bits[lsp]'",
      "Show output",
    );
    if (answer !== undefined) {
      output.show();
    }
  }
}

/** What `jaxlint.command` says, else jaxlint in the selected environment, else whatever `jaxlint` is. */
async function serverCommand(): Promise<string[]> {
  const configured = vscode.workspace.getConfiguration("jaxlint").get<string[]>("command", []);
  if (configured.length > 0) {
    return configured;
  }
  const python = await pythonExtension();
  const path = python?.environments.getActiveEnvironmentPath(vscode.workspace.workspaceFolders?.[0]?.uri);
  const environment = path && (await python?.environments.resolveEnvironment(path));
  const interpreter = environment?.executable.uri?.fsPath;
  return interpreter === undefined ? ["jaxlint"] : [interpreter, "-m", "jaxlint"];
}

/** The part of the Python extension's interface that is used here. */
interface Python {
  readonly environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    resolveEnvironment(
      path: { readonly path: string },
    ): Promise<{ readonly executable: { readonly uri?: vscode.Uri } } | undefined>;
    onDidChangeActiveEnvironmentPath(listener: () => unknown): vscode.Disposable;
  };
}

async function pythonExtension(): Promise<Python | undefined> {
  return vscode.extensions.getExtension<Python>("ms-python.python")?.activate();
}
