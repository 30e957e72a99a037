// Loaded into a process by NODE_OPTIONS. Writes the names of remote hosts that the process looks up to stderr.
const dns = require('node:dns');
const process = require('node:process');

const { lookup } = dns;
dns.lookup = (host, ...rest) => {
  if (!/^(localhost|127\.|::1)/.test(host)) process.stderr.write(`looks for ${host}\n`);
  return lookup(host, ...rest);
};
process.stderr.write('lookups are recorded\n');
