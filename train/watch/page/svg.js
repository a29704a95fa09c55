// Elements of SVG.

const namespace = 'http://www.w3.org/2000/svg';

// element makes an element with attributes and children.
export function element(name, attributes = {}, ...children) {
  const e = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  e.append(...children);
  return e;
}
