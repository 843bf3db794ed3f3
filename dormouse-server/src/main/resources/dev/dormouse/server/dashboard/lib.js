// The one place that names the library files; Maven puts them below lib/ at build time (see pom.xml).
export {createContext, render} from './lib/preact/preact.module.js';
export {
  useState, useEffect, useLayoutEffect, useRef, useMemo, useCallback, useContext, useErrorBoundary,
} from './lib/preact/hooks.module.js';
export {html} from './template.js';
