// Runs the extension with the real client and the real program. Only the editor is a stand-in:
//
//     DUPFIND=path/to/dupfind node --test test.js
'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const Module = require('node:module');
const os = require('node:os');
const path = require('node:path');
const test = require('node:test');
const { pathToFileURL } = require('node:url');

const TEXT = `# Opening hours

The park is open from six in the morning until the lamps are lit. On market days the northern gate stays shut, and visitors
come in by the bridge.
`;

// A value that can be called, made and looked into, and does nothing.
function anything() {
  const own = {};
  return new Proxy(function () {}, {
    apply: anything,
    construct: anything,
    get(target, key) {
      if (key === Symbol.iterator) return function* () {};
      if (key === Symbol.toPrimitive) return () => '';
      if (key === 'prototype') return target.prototype;
      return key === 'then' ? undefined : (own[key] ??= anything());
    },
    set: (_, key, value) => ((own[key] = value), true),
  });
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'dupfind-'));
const uri = (name) => pathToFileURL(path.join(folder, name)).href;
fs.mkdirSync(path.join(folder, 'docs'));
for (const name of ['a.md', 'b.md']) fs.writeFileSync(path.join(folder, 'docs', name), TEXT);

const manifest = require('./package.json');
const settings = { path: process.env.DUPFIND, arguments: ['docs'] };
const [handlers, errors] = [{}, []];
// The extension comes before the client.
function keep(name, handler) {
  handlers[name] ??= handler;
  return { dispose() {} };
}
const vscode = anything();
vscode.version = manifest.engines.vscode.slice(1);
vscode.EventEmitter = class {
  event = () => ({ dispose() {} });
  fire() {}
  dispose() {}
};
Object.assign(vscode.env, { appName: 'stand-in', language: 'en' });
Object.assign(vscode.workspace, {
  workspaceFolders: [{ uri: { scheme: 'file', fsPath: folder, toString: () => uri('') }, name: 'site', index: 0 }],
  textDocuments: [],
  notebookDocuments: [],
  getConfiguration: () => ({ get: (name) => settings[name] }),
  onDidChangeConfiguration: (handler) => keep('configuration', handler),
});
Object.assign(vscode.window, {
  visibleNotebookEditors: [],
  visibleTextEditors: [],
  tabGroups: { all: [], onDidChangeTabs: anything() },
  showErrorMessage: async (text) => void errors.push(text),
});
vscode.commands.registerCommand = keep;

const load = Module._load;
Module._load = (name, ...rest) => (name === 'vscode' ? vscode : load(name, ...rest));
const languageClient = require('vscode-languageclient/node');
const clients = [];
languageClient.LanguageClient = class extends languageClient.LanguageClient {
  constructor(...args) {
    super(...args);
    const [, , server, options] = args;
    clients.push({ client: this, server, options });
  }
};
const extension = require('./extension.js');


// Returns the diagnostics of a page that is opened.
function opened(client, name) {
  return new Promise((resolve) => {
    client.onNotification('textDocument/publishDiagnostics', ({ diagnostics }) => resolve(diagnostics));
    const textDocument = { uri: uri(name), languageId: 'markdown', version: 1, text: TEXT };
    client.sendNotification('textDocument/didOpen', { textDocument });
  });
}

test.after(async () => {
  await extension.deactivate();
  fs.rmSync(folder, { recursive: true });
});

test('it starts the program, which finds a copy', async () => {
  await extension.activate({ subscriptions: [] });
  assert.deepEqual(errors, []);
  const [{ client, server, options }] = clients;
  assert.deepEqual(server, { command: settings.path, args: ['lsp', 'docs'] });
  const languages = options.documentSelector.map(({ language }) => `onLanguage:${language}`);
  assert.deepEqual(languages, manifest.activationEvents);
  for (const { command } of manifest.contributes.commands) assert.ok(handlers[command]);
  const [diagnostic] = await opened(client, 'docs/b.md');
  assert.equal(diagnostic.code, 'exact');
  assert.equal(diagnostic.relatedInformation[0].location.uri, uri('docs/a.md'));
});

test('other settings start it anew', async () => {
  settings.arguments = [];
  await handlers.configuration({ affectsConfiguration: (section) => section === 'dupfind' });
  assert.equal(clients.length, 2);
  assert.equal(clients[0].client.isRunning(), false);
  assert.deepEqual(clients[1].server.args, ['lsp']);
  await handlers.configuration({ affectsConfiguration: () => false });
  assert.equal(clients.length, 2);
  assert.equal((await opened(clients[1].client, 'docs/b.md'))[0].code, 'exact');
});

test('a missing program is reported', async () => {
  settings.path = path.join(folder, 'gone');
  await handlers['dupfind.restart']();
  assert.ok(errors.some((text) => text.includes('does not start: install dupfind, or set dupfind.path')), errors);
});
