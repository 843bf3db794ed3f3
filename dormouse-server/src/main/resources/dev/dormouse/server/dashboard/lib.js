// The one place that names the library files; Maven puts them below lib/ at build time (see pom.xml).
export {
  html, render, createContext, useState, useEffect, useLayoutEffect, useRef, useMemo, useCallback, useContext, useErrorBoundary,
} from './lib/htm/standalone.module.js';
export {default as uPlot} from './lib/uplot/uPlot.esm.js';
