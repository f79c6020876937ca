// The comparison: what a Node client does, JSON.parse for each event, on the same files and in pieces of the same size.
// Prints one line of JSON for each.
const fs = require('fs');
const { StringDecoder } = require('string_decoder');

function decode(body, textOf) {
  const utf8 = new StringDecoder('utf8');
  let pending = '', text = '', deltas = 0;
  for (let at = 0; at < body.length; at += 16384) {
    pending += utf8.write(body.subarray(at, at + 16384));
    const lines = pending.split('\n');
    pending = lines.pop();
    for (const line of lines) {
      if (!line.startsWith('data: ') || line === 'data: [DONE]') continue;
      const piece = textOf(JSON.parse(line.slice(6)));
      if (piece) { text += piece; ++deltas; }
    }
  }
  return { text, deltas };
}

const ways = {
  anthropic: (e) => e.type === 'content_block_delta' && e.delta.type === 'text_delta' ? e.delta.text : '',
  openai: (e) => e.choices[0] && e.choices[0].delta.content,
};
for (const [name, textOf] of Object.entries(ways)) {
  const body = fs.readFileSync(`${process.argv[2]}/${name}.sse`);
  const times = [];
  let deltas = 0;
  for (let round = 0; round < 5; ++round) {
    const start = process.hrtime.bigint();
    deltas = decode(body, textOf).deltas;
    times.push(Number(process.hrtime.bigint() - start));
  }
  const median = times.sort((a, b) => a - b)[2];
  console.log(JSON.stringify({ name, mb_s: body.length / median * 1e3, ns_per_delta: median / deltas }));
}
