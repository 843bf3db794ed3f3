import {useLayoutEffect, useRef, useState} from '../lib.js';

/** Returns the width of an element on the page. Pictures are drawn for this width, so that their text is not stretched. */
export function useWidth(initial = 800) {
  const box = useRef(null);
  const [width, setWidth] = useState(initial);
  useLayoutEffect(() => {
    const measure = () => box.current && setWidth(Math.max(200, Math.floor(box.current.clientWidth)));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return [box, width];
}
