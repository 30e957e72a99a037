/* global process, fetch -- as mocha runs it */
// Before each test: a node that nobody has used, as the in-process network of the suite is.
exports.mochaHooks = {
  async beforeEach() {
    const answer = await fetch(`${process.env.FORK_RPC}/next`);
    if (!answer.ok) throw new Error(await answer.text());
  },
};
