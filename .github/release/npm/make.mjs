// Makes the npm packages of a release from its archives:
//
//     node .github/release/npm/make.mjs [--bundled] ARCHIVES FOLDER
//
// ARCHIVES is the folder with dupfind-vVERSION-TARGET.tar.gz or .zip of some targets. FOLDER gets a folder for the
// package of each target, and one for 'dupfind', which depends on all of them and lets npm choose. 'npm publish' of
// each folder publishes it, 'dupfind' last. With --bundled the package 'dupfind' holds the others, so that it can be
// installed before anything is published.

import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const here = import.meta.dirname;
const root = join(here, '../../..');
const isBundled = process.argv[2] === '--bundled';
const [archives, folder] = process.argv.slice(isBundled ? 3 : 2);
if (!folder) {
  console.error('usage: node .github/release/npm/make.mjs [--bundled] ARCHIVES FOLDER');
  process.exit(2);
}

const manifest = readFileSync(join(root, 'Cargo.toml'), 'utf8');
const [, version] = manifest.match(/^version = "(.*)"/m);
const [, description] = manifest.match(/^description = "(.*)"/m);
// A release has it.
const repository = manifest.match(/^repository = "(.*)"/m)?.[1];
const platforms = JSON.parse(readFileSync(join(here, 'platforms.json'), 'utf8'));

const common = {
  version,
  description,
  license: 'MIT OR Apache-2.0',
  ...(repository && { homepage: repository, repository: { type: 'git', url: `git+${repository}.git` } }),
  engines: { node: '>=18' },
};

function write(name, more) {
  const beside = join(folder, name.replace('@dupfind/', 'dupfind-'));
  const place = isBundled && name !== 'dupfind' ? join(folder, 'dupfind/node_modules', name) : beside;
  mkdirSync(join(place, 'bin'), { recursive: true });
  copyFileSync(join(root, 'LICENSE'), join(place, 'LICENSE'));
  writeFileSync(join(place, 'package.json'), `${JSON.stringify({ name, ...common, ...more }, null, 2)}\n`);
  return place;
}

const made = {};
for (const [target, { package: name, os, cpu, libc }] of Object.entries(platforms)) {
  const stem = `dupfind-v${version}-${target}`;
  const archive = readdirSync(archives).find((file) => [`${stem}.tar.gz`, `${stem}.zip`].includes(file));
  if (!archive) continue;
  const unpacked = mkdtempSync(join(tmpdir(), 'dupfind-npm-'));
  // The tar of Windows and of macOS unpacks zip files too; elsewhere there is unzip.
  const [command, ...args] = archive.endsWith('.zip')
    ? ['unzip', '-q', join(archives, archive), '-d', unpacked]
    : ['tar', '-xzf', join(archives, archive), '-C', unpacked];
  execFileSync(command, args);
  const file = os === 'win32' ? 'dupfind.exe' : 'dupfind';
  const place = write(name, { os: [os], cpu: [cpu], ...(libc && { libc: [libc] }), preferUnplugged: true });
  copyFileSync(join(unpacked, stem, file), join(place, 'bin', file));
  chmodSync(join(place, 'bin', file), 0o755);
  writeFileSync(join(place, 'README.md'), `The program of dupfind for ${target}. Install \`dupfind\`.\n`);
  rmSync(unpacked, { recursive: true });
  made[name] = version;
}
if (Object.keys(made).length === 0) {
  console.error(`${archives} has no archive of version ${version}`);
  process.exit(2);
}

const place = write('dupfind', {
  keywords: ['duplicate', 'near-duplicate', 'markdown', 'simhash', 'chinese'],
  bin: { dupfind: 'bin/dupfind.js' },
  files: ['bin', 'platforms.json'],
  optionalDependencies: made,
  ...(isBundled && { bundleDependencies: Object.keys(made) }),
});
copyFileSync(join(here, 'dupfind.js'), join(place, 'bin/dupfind.js'));
chmodSync(join(place, 'bin/dupfind.js'), 0o755);
cpSync(join(here, 'platforms.json'), join(place, 'platforms.json'));
// Links to files lead to the repository, and pictures come from there.
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const addressOf = (path) => `${repository}/${/\.(svg|png)$/.test(path) ? 'raw' : 'blob'}/v${version}/${path}`;
const linked = repository ? readme.replace(/\]\((?!https?:|#)([^)]*)\)/g, (_, path) => `](${addressOf(path)})`) : readme;
writeFileSync(join(place, 'README.md'), linked);
