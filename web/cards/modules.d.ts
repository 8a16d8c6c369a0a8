declare module '@letele/playing-cards' {
  const pictures: Record<string, () => unknown>;
  export = pictures;
}
declare module 'react' {
  export function createElement(component: () => unknown): unknown;
}
declare module 'react-dom/server' {
  export function renderToStaticMarkup(element: unknown): string;
}
