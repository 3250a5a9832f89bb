"use strict";
// The picture of a graph of memories. Reads #data, draws on #picture. Nothing of the data becomes markup:
// all of it is drawn, or set as textContent.
(() => {
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent);
  const root = document.documentElement;
  const canvas = $("picture");
  const pen = canvas.getContext("2d");
  const stillness = matchMedia("(prefers-reduced-motion: reduce)");

  // ---- What is drawn -------------------------------------------------------------------------------------

  const nodes = data.nodes.map(([title, id, type, status, isArchived, namespace, created, snippet], index) => ({
    index, title, id, type: data.types[type], status, isArchived, namespace, created, snippet,
    words: `${title}\n${id ?? ""}\n${namespace}`.toLowerCase(), links: [], near: new Set(), radius: 0,
  }));
  const links = data.links.map(([source, target, relation]) => ({
    source: nodes[source], target: nodes[target], relation: data.relations[relation],
  }));
  for (const link of links) {
    link.source.links.push(link);
    link.target.links.push(link);
    link.source.near.add(link.target);
    link.target.near.add(link.source);
  }
  const count = nodes.length;
  for (const node of nodes) node.radius = Math.min(26, 5 + 2.1 * Math.sqrt(node.near.size));
  const byWeight = [...nodes].sort((a, b) => b.near.size - a.near.size || a.index - b.index);
  const hiddenTypes = new Set();
  const isShown = (node) => !hiddenTypes.has(node.type);

  // ---- Where it stands: springs along links, and every node pushes every other away ----------------------
  // Barnes and Hut: what is far is taken together, by a tree of squares. Positions begin on a spiral, those
  // of one neighbourhood together, and there is no chance in it: the same graph is the same picture.

  const x = new Float64Array(count), y = new Float64Array(count);
  const vx = new Float64Array(count), vy = new Float64Array(count);
  const isBig = count > 1200;
  const theta2 = isBig ? 1.4 : 0.8;
  const push = 1500, slow = 0.62;
  // A window is wider than high, so what holds all together is stronger from above and below.
  const pullX = isBig ? 0.006 : 0.011, pullY = isBig ? 0.011 : 0.021;
  let heat = 1;
  const coolest = 0.004, cooling = isBig ? 0.955 : 0.98;

  function begin() {
    const seen = new Set();
    let place = 0;
    for (const first of byWeight) {
      const waiting = seen.has(first) ? [] : [first];
      seen.add(first);
      for (let at = 0; at < waiting.length; at++) {
        const node = waiting[at];
        const far = 14 * Math.sqrt(place + 0.5), angle = place * 2.399963;
        x[node.index] = far * Math.cos(angle);
        y[node.index] = far * Math.sin(angle);
        place++;
        for (const other of node.near) if (!seen.has(other)) { seen.add(other); waiting.push(other); }
      }
    }
  }

  let room = 0, cells = 0;
  let childOf, bodyOf, massOf, sumX, sumY, halfOf, midX, midY;
  function makeRoom(wanted) {
    room = wanted;
    childOf = new Int32Array(room * 4); bodyOf = new Int32Array(room);
    massOf = new Float64Array(room); sumX = new Float64Array(room); sumY = new Float64Array(room);
    halfOf = new Float64Array(room); midX = new Float64Array(room); midY = new Float64Array(room);
  }
  function cell(mx, my, half) {
    const made = cells++;
    childOf.fill(-1, made * 4, made * 4 + 4);
    bodyOf[made] = -1; massOf[made] = 0; sumX[made] = 0; sumY[made] = 0;
    halfOf[made] = half; midX[made] = mx; midY[made] = my;
    return made;
  }
  function quarter(at, px, py) {
    const number = (px < midX[at] ? 0 : 1) + (py < midY[at] ? 0 : 2);
    const slot = at * 4 + number;
    if (childOf[slot] < 0) {
      const half = halfOf[at] / 2;
      childOf[slot] = cell(midX[at] + (number & 1 ? half : -half), midY[at] + (number & 2 ? half : -half), half);
    }
    return childOf[slot];
  }
  function plant() {
    if (room < count * 12 + 64) makeRoom(count * 12 + 64);
    cells = 0;
    let most = 1;
    for (let i = 0; i < count; i++) most = Math.max(most, Math.abs(x[i]), Math.abs(y[i]));
    cell(0, 0, most * 1.01);
    for (let i = 0; i < count; i++) {
      let at = 0;
      for (let depth = 0; ; depth++) {
        const isEmpty = massOf[at] === 0;
        const resting = bodyOf[at];
        massOf[at]++; sumX[at] += x[i]; sumY[at] += y[i];
        if (isEmpty) { bodyOf[at] = i; break; }
        if (depth > 24 || cells > room - 8) break;
        if (resting >= 0) {
          const down = quarter(at, x[resting], y[resting]);
          massOf[down] = 1; sumX[down] = x[resting]; sumY[down] = y[resting]; bodyOf[down] = resting;
          bodyOf[at] = -1;
        }
        at = quarter(at, x[i], y[i]);
      }
    }
  }
  const stack = new Int32Array(512);
  function step() {
    plant();
    for (let i = 0; i < count; i++) {
      let fx = -x[i] * pullX, fy = -y[i] * pullY, depth = 0;
      stack[depth++] = 0;
      while (depth) {
        const at = stack[--depth];
        const mass = massOf[at];
        if (!mass || bodyOf[at] === i) continue;
        let dx = x[i] - sumX[at] / mass, dy = y[i] - sumY[at] / mass, far2 = dx * dx + dy * dy;
        const size = halfOf[at] * 2;
        if (bodyOf[at] < 0 && size * size > theta2 * far2 && depth < 500) {
          for (let c = at * 4; c < at * 4 + 4; c++) if (childOf[c] >= 0) stack[depth++] = childOf[c];
          continue;
        }
        if (far2 < 1) { dx = (i % 7) - 3.1; dy = (i % 5) - 2.1; far2 = 4; }
        const force = (push * mass) / far2;
        fx += (dx * force) / Math.sqrt(far2) ; fy += (dy * force) / Math.sqrt(far2);
      }
      vx[i] += fx * heat; vy[i] += fy * heat;
    }
    for (const { source, target } of links) {
      const s = source.index, t = target.index;
      const dx = x[t] + vx[t] - x[s] - vx[s], dy = y[t] + vy[t] - y[s] - vy[s];
      const far = Math.sqrt(dx * dx + dy * dy) || 1;
      const few = Math.min(source.near.size, target.near.size);
      const wish = 58 + source.radius + target.radius;
      const force = (((far - wish) / far) * heat * 0.85) / Math.max(1, few);
      const share = source.near.size / (source.near.size + target.near.size);
      vx[t] -= dx * force * share; vy[t] -= dy * force * share;
      vx[s] += dx * force * (1 - share); vy[s] += dy * force * (1 - share);
    }
    for (let i = 0; i < count; i++) {
      if (held && held.index === i) { vx[i] = vy[i] = 0; continue; }
      vx[i] *= slow; vy[i] *= slow;
      const speed = Math.hypot(vx[i], vy[i]);
      const most = speed > 60 ? 60 / speed : 1;
      x[i] += vx[i] * most; y[i] += vy[i] * most;
    }
    heat *= cooling;
  }
  function move(milliseconds) {
    const until = performance.now() + milliseconds;
    do step(); while (heat > coolest && performance.now() < until);
  }

  // ---- From where it is seen -----------------------------------------------------------------------------

  const view = { scale: 1, x: 0, y: 0, width: 1, height: 1, isOwn: false };
  const toScreen = (i) => [x[i] * view.scale + view.x, y[i] * view.scale + view.y];
  function fit() {
    let left = Infinity, right = -Infinity, top = Infinity, bottom = -Infinity;
    for (const node of nodes) {
      if (!isShown(node)) continue;
      left = Math.min(left, x[node.index] - node.radius); right = Math.max(right, x[node.index] + node.radius);
      top = Math.min(top, y[node.index] - node.radius); bottom = Math.max(bottom, y[node.index] + node.radius);
    }
    if (left > right) return;
    const wide = view.width - 150, high = view.height - 150;
    view.scale = Math.min(2.4, wide / Math.max(1, right - left), high / Math.max(1, bottom - top));
    view.x = view.width / 2 - ((left + right) / 2) * view.scale;
    view.y = view.height / 2 - 12 - ((top + bottom) / 2) * view.scale;
  }
  function zoom(factor, px = view.width / 2, py = view.height / 2) {
    const scale = Math.max(0.02, Math.min(8, view.scale * factor));
    view.x = px - ((px - view.x) * scale) / view.scale;
    view.y = py - ((py - view.y) * scale) / view.scale;
    view.scale = scale;
    view.isOwn = true;
    ask();
  }
  function showAll() { view.isOwn = false; fit(); ask(); }
  function bringIntoView(node) {
    const [px, py] = toScreen(node.index);
    const right = $("details").hidden ? 60 : 370;
    if (px < 60 || py < 60 || px > view.width - right || py > view.height - 80) {
      view.isOwn = true;
      view.x += (view.width - right + 60) / 2 - px;
      view.y += view.height / 2 - py;
    }
  }
  function measure() {
    const box = canvas.getBoundingClientRect(), dots = window.devicePixelRatio || 1;
    if (!box.width) return;
    view.width = box.width; view.height = box.height;
    canvas.width = Math.round(box.width * dots); canvas.height = Math.round(box.height * dots);
    if (!view.isOwn) fit();
    ask();
  }

  // ---- Drawing -------------------------------------------------------------------------------------------

  let colours = {};
  function readColours() {
    const style = getComputedStyle(root);
    const names = [...data.types, "text", "quiet", "line", "ground", "accent", "alarm"];
    colours = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
    ask();
  }
  let hovered = null, chosen = null, held = null, matches = null;

  function outline(node, px, py, radius) {
    pen.beginPath();
    if (node.type === "entity") {
      const side = radius * 1.1;
      pen.moveTo(px, py - side); pen.lineTo(px + side, py); pen.lineTo(px, py + side); pen.lineTo(px - side, py);
      pen.closePath();
    } else pen.arc(px, py, radius, 0, 7);
  }
  // From afar the nodes of a large graph shrink with it, those of a small one less: there is room.
  const size = (node) => Math.max(1.5, node.radius * Math.min(1.25, isBig ? view.scale * 1.3 : Math.sqrt(view.scale)));

  function draw() {
    const dots = canvas.width / view.width;
    pen.setTransform(dots, 0, 0, dots, 0, 0);
    pen.clearRect(0, 0, view.width, view.height);
    const focus = hovered ?? chosen;
    const isNear = (node) => !focus || node === focus || focus.near.has(node);
    const isLit = (node) => (focus ? isNear(node) : !matches || matches.has(node));
    drawLinks(focus);
    for (const node of [...byWeight].reverse()) if (isShown(node)) drawNode(node, isLit(node), focus);
    drawLabels(focus, isLit);
  }
  function drawLinks(focus) {
    pen.lineWidth = Math.max(0.5, Math.min(1.4, view.scale * 1.1));
    const faint = focus || matches ? 0.1 : isBig ? 0.22 : 0.42;
    pen.strokeStyle = colours.line;
    pen.globalAlpha = faint;
    pen.beginPath();
    for (const link of links) {
      if (!isShown(link.source) || !isShown(link.target)) continue;
      if (focus && (link.source === focus || link.target === focus)) continue;
      trace(link);
    }
    pen.stroke();
    if (!focus) { pen.globalAlpha = 1; if (!isBig && view.scale > 0.45) arrows(links, faint); return; }
    pen.globalAlpha = 0.9;
    pen.lineWidth = 1.7;
    pen.strokeStyle = colours[focus.type];
    pen.beginPath();
    const own = focus.links.filter((link) => isShown(link.source) && isShown(link.target));
    own.forEach(trace);
    pen.stroke();
    pen.globalAlpha = 1;
    arrows(own, 0.95, colours[focus.type]);
    if (own.length <= 24 && view.scale > 0.35) own.forEach(drawRelation);
  }
  function trace({ source, target }) {
    const [sx, sy] = toScreen(source.index), [tx, ty] = toScreen(target.index);
    pen.moveTo(sx, sy);
    pen.quadraticCurveTo((sx + tx) / 2 + (ty - sy) * 0.07, (sy + ty) / 2 - (tx - sx) * 0.07, tx, ty);
  }
  function arrows(some, strength, colour = colours.line) {
    pen.fillStyle = colour;
    pen.globalAlpha = strength;
    for (const { source, target, relation } of some) {
      if (relation === "about" || !isShown(source) || !isShown(target)) continue;
      const [sx, sy] = toScreen(source.index), [tx, ty] = toScreen(target.index);
      const cx = (sx + tx) / 2 + (ty - sy) * 0.07, cy = (sy + ty) / 2 - (tx - sx) * 0.07;
      const angle = Math.atan2(ty - cy, tx - cx), back = size(target) + 3;
      const px = tx - Math.cos(angle) * back, py = ty - Math.sin(angle) * back;
      pen.beginPath();
      pen.moveTo(px, py);
      pen.lineTo(px - 7 * Math.cos(angle - 0.42), py - 7 * Math.sin(angle - 0.42));
      pen.lineTo(px - 7 * Math.cos(angle + 0.42), py - 7 * Math.sin(angle + 0.42));
      pen.fill();
    }
    pen.globalAlpha = 1;
  }
  function drawRelation({ source, target, relation }) {
    if (relation === "about") return;
    const [sx, sy] = toScreen(source.index), [tx, ty] = toScreen(target.index);
    pen.font = "11px system-ui, sans-serif";
    pen.textAlign = "center";
    written(cut(relation, 24), (sx + tx) / 2 + (ty - sy) * 0.035, (sy + ty) / 2 - (tx - sx) * 0.035 + 4, colours.quiet);
  }
  function drawNode(node, isLit, focus) {
    const [px, py] = toScreen(node.index), radius = size(node);
    if (px < -40 || py < -40 || px > view.width + 40 || py > view.height + 40) return;
    const isPast = node.status === "superseded" || node.status === "expired";
    pen.globalAlpha = isLit ? (isPast ? 0.5 : 1) : 0.26;
    if (node === chosen) {
      pen.fillStyle = colours[node.type];
      pen.globalAlpha = 0.2;
      outline(node, px, py, radius + 7);
      pen.fill();
      pen.globalAlpha = 1;
    }
    outline(node, px, py, radius);
    pen.fillStyle = node.isArchived ? colours.ground : colours[node.type];
    pen.fill();
    pen.lineWidth = node.isArchived ? 1.8 : 1.5;
    pen.strokeStyle = node.isArchived ? colours[node.type] : colours.ground;
    if (node.isArchived) pen.setLineDash([3, 2.5]);
    if (radius > 2.5) pen.stroke();
    pen.setLineDash([]);
    if (node.status === "disputed" && radius > 2.5) {
      outline(node, px, py, radius + 2.5);
      pen.strokeStyle = colours.alarm;
      pen.stroke();
    }
    if (matches && !focus && matches.has(node)) {
      outline(node, px, py, radius + 4);
      pen.strokeStyle = colours.accent;
      pen.lineWidth = 2;
      pen.stroke();
    }
    pen.globalAlpha = 1;
  }
  // Names are written where there is room, those of what has most links first; no name lies on another.
  function drawLabels(focus, isLit) {
    const taken = nodes.length > 400 ? [] : nodes.filter((node) => isShown(node) && isLit(node)).map(around);
    const most = isBig ? 45 : 160;
    let names = 0;
    const first = focus ? [focus, ...[...focus.near].sort((a, b) => b.near.size - a.near.size)] : [];
    const rest = matches && !focus ? byWeight.filter((node) => matches.has(node)) : byWeight;
    pen.textAlign = "center";
    for (const node of [...new Set([...first, ...rest])]) {
      if (names >= most) break;
      if (!isShown(node) || !isLit(node)) continue;
      const isFirst = node === focus || node === chosen;
      const radius = size(node);
      if (!isFirst && !focus && !matches && radius < (isBig ? 6 : 4.5)) continue;
      const [px, py] = toScreen(node.index);
      if (px < -60 || py < -20 || px > view.width + 60 || py > view.height + 20) continue;
      const high = isFirst ? 14 : Math.min(14, 11 + Math.sqrt(node.near.size) * 0.55);
      const isBold = isFirst || node.type === "entity";
      pen.font = `${isBold ? 600 : 400} ${high}px system-ui, "Noto Sans CJK SC", sans-serif`;
      const text = cut(node.title, isFirst ? 60 : 30);
      const wide = pen.measureText(text).width / 2 + 4, side = radius + wide + 3;
      // Below it, else above, right or left of it.
      const places = [[0, radius + 3], [0, -radius - high - 6], [side, -high / 2 - 2], [-side, -high / 2 - 2]];
      const boxes = places.map(([ox, oy]) => [px + ox - wide, py + oy, px + ox + wide, py + oy + high + 3]);
      const box = boxes.find((each) => taken.every((other) => isApart(each, other))) ?? (isFirst ? boxes[0] : null);
      if (!box) continue;
      taken.push(box);
      names++;
      written(text, (box[0] + box[2]) / 2, box[1] + high - 1, isBold ? colours.text : colours.quiet);
    }
  }
  const isApart = (one, two) => one[0] > two[2] || one[2] < two[0] || one[1] > two[3] || one[3] < two[1];
  function around(node) {
    const [px, py] = toScreen(node.index), half = size(node) * 0.8;
    return [px - half, py - half, px + half, py + half];
  }
  function written(text, px, py, colour) {
    pen.lineWidth = 3.5;
    pen.lineJoin = "round";
    pen.strokeStyle = colours.ground;
    pen.globalAlpha = 0.9;
    pen.strokeText(text, px, py);
    pen.globalAlpha = 1;
    pen.fillStyle = colour;
    pen.fillText(text, px, py);
  }
  function cut(text, most) {
    const characters = [...text];
    return characters.length > most ? `${characters.slice(0, most - 1).join("").trimEnd()}…` : text;
  }

  // ---- Time ----------------------------------------------------------------------------------------------

  let isAsked = false;
  function ask() {
    if (!isAsked) { isAsked = true; requestAnimationFrame(frame); }
  }
  function frame() {
    isAsked = false;
    if (heat > coolest) {
      move(stillness.matches ? 40 : 11);
      if (!view.isOwn) fit();
    }
    const isMoving = heat > coolest;
    root.dataset.layout = isMoving ? "moving" : "settled";
    if (!isMoving || !stillness.matches) draw();
    if (isMoving) ask();
  }
  function warm(wanted) {
    if (stillness.matches && !held) return;
    heat = Math.max(heat, wanted);
    ask();
  }

  // ---- Choosing ------------------------------------------------------------------------------------------

  function make(tag, text, name) {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (name) made.className = name;
    return made;
  }
  function choose(node) {
    chosen = node;
    hovered = null;
    const box = $("details");
    box.replaceChildren();
    box.hidden = !node;
    if (!node) { $("said").textContent = ""; ask(); return; }
    const isWordless = node.type === "entity" && !node.id;
    const kind = make("p", undefined, `kind ${node.type}`);
    kind.append(make("i"), make("span", isWordless ? "entity, no memory of its own" : node.type));
    if (node.isArchived) kind.append(make("span", "archived", "badge"));
    if (node.status !== "active") kind.append(make("span", node.status, "badge"));
    const letGo = make("button", "×", "let-go");
    letGo.type = "button";
    letGo.setAttribute("aria-label", "Close");
    letGo.addEventListener("click", () => { choose(null); canvas.focus(); });
    box.append(letGo, kind, make("h2", node.title));
    if (node.id) box.append(make("code", node.id));
    const beside = [node.namespace, (node.created ?? "").slice(0, 10)].filter(Boolean).join(" · ");
    if (beside) box.append(make("p", beside, "kind"));
    if (node.snippet && node.snippet !== node.title) box.append(make("p", node.snippet));
    const groups = new Map();
    for (const link of node.links) {
      const isOwn = link.source === node;
      const name = isOwn ? `${link.relation} →` : `← ${link.relation}`;
      if (!groups.has(name)) groups.set(name, []);
      groups.get(name).push(isOwn ? link.target : link.source);
    }
    for (const [name, others] of groups) {
      box.append(make("h3", name));
      const list = make("ul");
      for (const other of others) list.append(entry(other));
      box.append(list);
    }
    bringIntoView(node);
    const number = node.near.size;
    $("said").textContent = `${node.title}, ${node.type}, linked with ${number} ${number === 1 ? "other" : "others"}`;
    ask();
  }
  function entry(node) {
    const item = make("li", undefined, node.type), button = make("button");
    button.type = "button";
    button.append(make("i"), make("span", node.title));
    button.addEventListener("click", () => {
      choose(node);
      ($("details").querySelector("button") ?? canvas).focus();
    });
    item.append(button);
    return item;
  }
  function nodeAt(px, py) {
    let best = null, nearest = Infinity;
    for (const node of nodes) {
      if (!isShown(node)) continue;
      const [nx, ny] = toScreen(node.index), far = Math.hypot(nx - px, ny - py) - size(node);
      if (far < Math.min(5, nearest)) { best = node; nearest = far; }
    }
    return best;
  }
  function hint(node, px, py) {
    const box = $("hint");
    box.hidden = !node || node === chosen;
    if (box.hidden) return;
    box.replaceChildren(make("span", node.title), make("small", [node.id, node.type].filter(Boolean).join(" · ")));
    if (node.snippet && node.snippet !== node.title) box.append(make("small", cut(node.snippet, 120)));
    const left = Math.min(px + 14, view.width - box.offsetWidth - 8), top = Math.min(py + 16, view.height - box.offsetHeight - 8);
    box.style.transform = `translate(${Math.max(4, left)}px, ${Math.max(4, top)}px)`;
  }

  // ---- Pointer, keys, search, legend, table --------------------------------------------------------------

  const pointers = new Map();
  let pressed = null, spread = 0;
  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  canvas.addEventListener("pointerdown", (event) => {
    const [px, py] = at(event);
    pointers.set(event.pointerId, [px, py]);
    canvas.setPointerCapture(event.pointerId);
    held = pointers.size === 1 ? nodeAt(px, py) : null;
    pressed = pointers.size === 1 ? { px, py, node: held, hasMoved: false } : null;
    spread = 0;
    canvas.classList.add("held");
    hint(null);
  });
  canvas.addEventListener("pointermove", (event) => {
    const [px, py] = at(event), before = pointers.get(event.pointerId);
    if (!before) {
      const node = nodeAt(px, py);
      canvas.classList.toggle("over", Boolean(node));
      if (node !== hovered) { hovered = node; ask(); }
      hint(node, px, py);
      return;
    }
    pointers.set(event.pointerId, [px, py]);
    if (pointers.size === 2) {
      const [[ax, ay], [bx, by]] = pointers.values(), now = Math.hypot(ax - bx, ay - by);
      if (spread) zoom(now / spread, (ax + bx) / 2, (ay + by) / 2);
      spread = now;
      return;
    }
    if (pressed && Math.hypot(px - pressed.px, py - pressed.py) > 3) pressed.hasMoved = true;
    if (!pressed?.hasMoved) return;
    if (held) {
      x[held.index] = (px - view.x) / view.scale;
      y[held.index] = (py - view.y) / view.scale;
      view.isOwn = true;
      warm(0.12);
    } else {
      view.x += px - before[0]; view.y += py - before[1];
      view.isOwn = true;
    }
    ask();
  });
  function release(event) {
    pointers.delete(event.pointerId);
    canvas.classList.remove("held");
    if (pressed && !pressed.hasMoved && event.type === "pointerup") choose(pressed.node);
    held = null;
    pressed = null;
  }
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", () => { hint(null); if (hovered) { hovered = null; ask(); } });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0016)), ...at(event));
  }, { passive: false });
  canvas.addEventListener("dblclick", (event) => zoom(1.7, ...at(event)));

  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  function go([dx, dy]) {
    if (!chosen || !isShown(chosen)) { choose(byWeight.find(isShown) ?? null); return; }
    const from = chosen.index;
    let best = null, least = Infinity;
    for (const node of nodes) {
      if (node === chosen || !isShown(node)) continue;
      const ox = x[node.index] - x[from], oy = y[node.index] - y[from];
      const ahead = ox * dx + oy * dy, aside = Math.abs(ox * dy - oy * dx);
      if (ahead <= 0 || aside > ahead * 1.2) continue;
      const cost = (ahead + 2 * aside) * (chosen.near.has(node) ? 0.4 : 1);
      if (cost < least) { best = node; least = cost; }
    }
    if (best) choose(best);
  }
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[event.key];
    if (arrow && event.shiftKey) {
      view.x -= arrow[0] * 60; view.y -= arrow[1] * 60; view.isOwn = true; ask();
    } else if (arrow) go(arrow);
    else if (event.key === "+" || event.key === "=") zoom(1.25);
    else if (event.key === "-") zoom(0.8);
    else if (event.key === "0") showAll();
    else if (event.key === "Enter" && chosen) $("details").querySelector("button").focus();
    else return;
    event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== $("search")) {
      event.preventDefault();
      $("search").focus();
    } else if (event.key === "Escape" && chosen && document.activeElement !== $("search")) {
      choose(null);
      canvas.focus();
    }
  });

  function find() {
    const words = $("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const list = $("found");
    list.replaceChildren();
    list.hidden = !words.length;
    matches = words.length ? new Set(byWeight.filter((node) => words.every((word) => node.words.includes(word)))) : null;
    const shown = matches ? [...matches].filter(isShown).slice(0, 12) : [];
    for (const node of shown) {
      const item = entry(node);
      item.firstChild.addEventListener("click", () => { list.hidden = true; matches = null; ask(); });
      list.append(item);
    }
    if (matches && !shown.length) list.append(make("li", "no memory here has these words", "none"));
    ask();
  }
  $("search").addEventListener("input", find);
  $("search").addEventListener("focus", find);
  $("search").addEventListener("keydown", (event) => {
    const first = $("found").querySelector("button");
    // The focus goes to the memory with the click: the key must not press a button there.
    if (event.key === "Enter" && first) { event.preventDefault(); first.click(); }
    else if (event.key === "ArrowDown" && first) { first.focus(); event.preventDefault(); }
    else if (event.key === "Escape") { $("search").value = ""; find(); canvas.focus(); }
  });
  $("found").addEventListener("keydown", (event) => {
    const step_ = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
    if (event.key === "Escape") { $("search").focus(); return; }
    if (!step_) return;
    event.preventDefault();
    const other = document.activeElement.parentElement[step_];
    (other ? other.querySelector("button") : $("search")).focus();
  });
  document.addEventListener("pointerdown", (event) => {
    if (!event.target.closest?.(".find")) $("found").hidden = true;
  });

  for (const type of data.types) {
    const number = nodes.filter((node) => node.type === type).length;
    if (!number) continue;
    const button = make("button", undefined, type);
    button.type = "button";
    button.setAttribute("aria-pressed", "true");
    button.append(make("i"), make("span", type), make("b", String(number)));
    button.addEventListener("click", () => {
      const isHidden = hiddenTypes.has(type);
      if (isHidden) hiddenTypes.delete(type); else hiddenTypes.add(type);
      button.setAttribute("aria-pressed", String(isHidden));
      if (chosen && !isShown(chosen)) choose(null);
      ask();
    });
    $("legend").append(button);
  }
  $("closer").addEventListener("click", () => zoom(1.3));
  $("farther").addEventListener("click", () => zoom(1 / 1.3));
  $("all").addEventListener("click", showAll);
  $("turn").addEventListener("click", () => {
    const isTable = root.classList.toggle("as-table");
    $("turn").setAttribute("aria-pressed", String(isTable));
    if (!isTable) measure();
  });

  root.classList.add("drawn");
  begin();
  readColours();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", readColours);
  new ResizeObserver(measure).observe(canvas);
  move(60);
  measure();

  // For those who look at the page from outside, as tests do.
  window.gitmemGraph = {
    count, links: links.length,
    where: (id) => { const node = nodes.find((each) => each.id === id || each.title === id); return toScreen(node.index); },
    chosen: () => chosen && (chosen.id ?? chosen.title),
    view: () => ({ ...view }),
  };
})();
