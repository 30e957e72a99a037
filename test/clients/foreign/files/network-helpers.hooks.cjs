/* global process, fetch -- mocha runs this file */
// Each test gets an unused node, as on the in-process network of the suite.
exports.mochaHooks = {
  async beforeEach() {
    const answer = await fetch(`${process.env.FORK_RPC}/next`);
    if (!answer.ok) throw new Error(await answer.text());
  },
};
