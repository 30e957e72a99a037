// Before each test file: a node that nobody has used.
const answer = await fetch(`${process.env['FORK_RPC'] ?? ''}/next`);
if (!answer.ok) throw new Error(await answer.text());
