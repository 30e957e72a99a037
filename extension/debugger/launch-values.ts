// Entry of a bundle of its own, which the first completion in `launch.json` loads.
export { launchFieldAt } from './launch-field';
export { launchSuggestions } from './launch-suggestions';
