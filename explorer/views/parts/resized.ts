/** Calls back at first and whenever the element has another size; returns how to stop that. */
export function whenResized(element: HTMLElement | null, act: (element: HTMLElement) => void): () => void {
  if (element === null) return () => undefined;
  const observer = new ResizeObserver(() => act(element));
  observer.observe(element);
  return () => {
    observer.disconnect();
  };
}
