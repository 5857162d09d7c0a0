#!/usr/bin/env node
// Runs the dupfind of the package for this machine, which npm installs beside this one.
'use strict';

const { spawn } = require('node:child_process');
const { constants } = require('node:os');
const platforms = Object.values(require('../platforms.json'));

// Node names the C library that it runs on only if that is glibc.
function libc() {
  if (process.platform !== 'linux') return undefined;
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl';
}

// The packages that can run here, the best one first: a program for musl runs on glibc too.
function candidates() {
  const here = platforms.filter(({ os, cpu }) => os === process.platform && cpu === process.arch);
  const own = libc();
  const fit = here.filter((platform) => platform.libc === own || platform.libc === 'musl');
  return fit.sort((a, b) => (b.libc === own) - (a.libc === own)).map((platform) => platform.package);
}

function program() {
  const file = process.platform === 'win32' ? 'dupfind.exe' : 'dupfind';
  const names = candidates();
  for (const name of names) {
    try {
      return require.resolve(`${name}/bin/${file}`);
    } catch {
      // The next one.
    }
  }
  const machine = `${process.platform}-${process.arch}`;
  if (names.length === 0) {
    throw new Error(`there is no dupfind for ${machine} on npm; install Rust and run: cargo install dupfind-cli`);
  }
  throw new Error(
    `the package ${names[0]} is missing. npm leaves it out with --omit=optional or --no-optional, ` +
      `and if package-lock.json was made on another kind of machine by an old npm. Install dupfind anew without them`,
  );
}

let child;
try {
  child = spawn(program(), process.argv.slice(2), { stdio: 'inherit' });
} catch (error) {
  console.error(`dupfind: error: ${error.message}`);
  process.exit(2);
}
// A terminal sends Ctrl-C to both. The program decides when it ends; what is sent to this process alone is passed on.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  console.error(`dupfind: error: cannot run ${child.spawnfile}: ${error.message}`);
  process.exit(2);
});
child.on('exit', (status, signal) => process.exit(status ?? 128 + constants.signals[signal]));
