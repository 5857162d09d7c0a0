// Starts 'dupfind lsp' for the folders of the workspace.
'use strict';

const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

const LANGUAGES = ['markdown', 'mdx', 'restructuredtext', 'asciidoc', 'html', 'plaintext'];

let client;

async function start() {
  const settings = vscode.workspace.getConfiguration('dupfind');
  const server = { command: settings.get('path'), args: ['lsp', ...settings.get('arguments')] };
  const watcher = vscode.workspace.createFileSystemWatcher('**/.dupfind-baseline');
  client = new LanguageClient('dupfind', 'dupfind', server, {
    documentSelector: LANGUAGES.map((language) => ({ scheme: 'file', language })),
    synchronize: { fileEvents: watcher },
  });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    vscode.window.showErrorMessage(`'${server.command}' does not start: install dupfind, or set dupfind.path. ${error.message}`);
  }
}

async function stop() {
  const running = client;
  client = undefined;
  await running?.stop();
}

async function restart() {
  await stop();
  await start();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand('dupfind.restart', restart),
    vscode.workspace.onDidChangeConfiguration((change) => change.affectsConfiguration('dupfind') && restart()),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
