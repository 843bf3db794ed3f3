(() => {
  const root = document.documentElement;
  const base = root.dataset.base;
  const byId = id => document.getElementById(id);

  // ---- light and dark ----
  byId('site-theme').addEventListener('click', () => {
    root.dataset.theme = root.dataset.theme === 'dark' ? 'light' : 'dark';
    try { localStorage.setItem('dormouse.site.theme', root.dataset.theme); } catch (e) { /* storage is off */ }
  });

  // ---- the navigation on a phone; on a wide page the current entry is scrolled into view ----
  const menu = byId('site-menu');
  menu.addEventListener('click', () => {
    const open = document.body.classList.toggle('menu-open');
    menu.setAttribute('aria-expanded', String(open));
  });
  const nav = byId('site-nav');
  const current = nav.querySelector('[aria-current]');
  if (current && current.offsetTop > nav.clientHeight - 80) nav.scrollTop = current.offsetTop - nav.clientHeight / 2;

  // ---- copy buttons ----
  for (const block of document.querySelectorAll('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      const text = block.querySelector('code').textContent;
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = 'Copied';
      } catch (e) {
        getSelection().selectAllChildren(block.querySelector('code'));
        button.textContent = 'Selected';
      }
      setTimeout(() => { button.textContent = 'Copy'; }, 1500);
    });
    block.append(button);
  }

  // ---- the heading that is read is marked in the table of contents ----
  const entries = [...document.querySelectorAll('.toc a')].map(a => [a, document.getElementById(decodeURIComponent(a.hash.slice(1)))]);
  if (entries.length) {
    const mark = () => {
      const passed = entries.filter(([, heading]) => heading && heading.getBoundingClientRect().top < 120);
      const now = passed.length ? passed[passed.length - 1][0] : entries[0][0];
      entries.forEach(([a]) => a.classList.toggle('now', a === now));
    };
    addEventListener('scroll', mark, {passive: true});
    mark();
  }

  // ---- search ----
  const input = byId('site-search');
  const results = byId('site-results');
  const most = 20;
  let loading = null;
  let selected = 0;

  const load = () => loading ||= new Promise((done, failed) => {
    const script = document.createElement('script');
    script.src = base + 'search-index.js';
    script.onload = () => done(window.dormouseSearchIndex.map(s => ({...s, lp: s.p.toLowerCase(), lh: s.h.toLowerCase(), lt: s.t.toLowerCase()})));
    script.onerror = failed;
    document.head.append(script);
  });

  const startsWord = (text, at) => at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1]);
  const points = (text, word, whole, start, inside) => {
    const at = text.indexOf(word);
    if (at < 0) return 0;
    if (text === word) return whole;
    for (let next = at; next >= 0; next = text.indexOf(word, next + 1)) if (startsWord(text, next)) return start;
    return inside;
  };
  const weights = {Decisions: .4, Reference: .9};
  const score = (section, words) => {
    let sum = 0;
    for (const word of words) {
      const best = points(section.lp, word, 60, 30, 12) * (section.h ? .4 : 1)
        + points(section.lh, word, 50, 26, 10) + points(section.lt, word, 8, 6, 2);
      if (!best) return 0;
      sum += best;
    }
    return sum * (weights[section.g] || 1) + (section.lt.includes(words.join(' ')) ? 4 : 0);
  };

  const marked = (text, words) => {
    const out = document.createDocumentFragment();
    const pattern = new RegExp('(' + words.map(w => w.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|') + ')', 'gi');
    text.split(pattern).forEach((part, i) => {
      if (i % 2) {
        const mark = document.createElement('mark');
        mark.textContent = part;
        out.append(mark);
      } else {
        out.append(part);
      }
    });
    return out;
  };
  const excerpt = (section, words) => {
    const at = Math.max(0, Math.min(...words.map(w => section.lt.indexOf(w)).filter(i => i >= 0)));
    const from = Number.isFinite(at) && at > 60 ? section.t.indexOf(' ', at - 50) + 1 : 0;
    return (from ? '… ' : '') + section.t.slice(from, from + 160) + (section.t.length > from + 160 ? ' …' : '');
  };
  const element = (tag, name, content) => {
    const made = document.createElement(tag);
    made.className = name;
    made.append(content);
    return made;
  };
  const select = index => {
    const links = [...results.querySelectorAll('a')];
    selected = Math.max(0, Math.min(index, links.length - 1));
    links.forEach((a, i) => a.classList.toggle('selected', i === selected));
    if (links[selected]) links[selected].scrollIntoView({block: 'nearest'});
  };
  const show = async () => {
    const query = input.value.trim().toLowerCase();
    const words = query.split(/\s+/).filter(Boolean);
    if (!words.length) { results.hidden = true; return; }
    const index = await load();
    if (input.value.trim().toLowerCase() !== query) return;
    const found = index.map(section => [score(section, words), section]).filter(([points]) => points)
      .sort((a, b) => b[0] - a[0]).slice(0, most);
    results.replaceChildren(...found.map(([, section]) => {
      const link = document.createElement('a');
      link.href = base + section.u;
      const title = element('span', 'title', marked(section.h || section.p, words));
      const place = element('span', 'place', section.h ? section.g + ' › ' + section.p : section.g);
      link.append(title, place, element('span', 'excerpt', marked(excerpt(section, words), words)));
      return link;
    }));
    if (!found.length) results.append(element('p', 'none', 'Nothing found for “' + input.value.trim() + '”.'));
    results.hidden = false;
    select(0);
  };
  input.addEventListener('focus', () => { load(); if (input.value) show(); });
  input.addEventListener('input', show);
  input.addEventListener('keydown', event => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      select(selected + (event.key === 'ArrowDown' ? 1 : -1));
    } else if (event.key === 'Enter') {
      const link = results.querySelectorAll('a')[selected];
      if (link) { results.hidden = true; location.href = link.href; }
    } else if (event.key === 'Escape') {
      results.hidden = true;
      input.blur();
    }
  });
  results.addEventListener('click', () => { results.hidden = true; });
  document.addEventListener('click', event => { if (!event.target.closest('.search')) results.hidden = true; });
  document.addEventListener('keydown', event => {
    if (event.key === '/' && !event.ctrlKey && !event.metaKey && !/^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) {
      event.preventDefault();
      input.focus();
    }
  });
})();
