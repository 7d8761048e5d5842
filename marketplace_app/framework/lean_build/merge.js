// In place of mergician, which merges to any depth. Reflex merges with it only `style` and the like, which are flat.
export const mergician = (...objects) => Object.assign({}, ...objects);
