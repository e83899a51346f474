/* What is drawn more than once: the paths of icons. */
export const CLIP = "M20 11l-8.5 8.5a5 5 0 0 1-7-7L13 4a3.5 3.5 0 0 1 5 5l-8.5 8.5a2 2 0 0 1-3-3L14 7";
export const STACK = "M12 4l8 4-8 4-8-4zM4 12l8 4 8-4M4 16l8 4 8-4";
