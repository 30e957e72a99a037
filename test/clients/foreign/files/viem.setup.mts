// Each test file gets an unused node.
const answer = await fetch(`${process.env['FORK_RPC'] ?? ''}/next`);
if (!answer.ok) throw new Error(await answer.text());
