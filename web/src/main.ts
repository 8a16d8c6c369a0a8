import './style.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { preferences } from './preferences.svelte';

const target = document.getElementById('screen');
if (target) {
  preferences.apply();
  mount(App, { target });
}
