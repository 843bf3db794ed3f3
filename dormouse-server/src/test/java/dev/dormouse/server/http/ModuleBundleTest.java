package dev.dormouse.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ModuleBundleTest {

    private static final Map<String, String> MODULES = Map.of(
            "app.js", """
                    import {
                      render as draw,
                    } from './lib/dom.js';
                    import {Timers} from './pages/timers.js';

                    draw(Timers);
                    """,
            "pages/timers.js", """
                    import {render} from '../lib/dom.js';
                    export const Timers = 'timers';
                    export async function load() { render(); }
                    """,
            "lib/dom.js", "var r=1;function o(){}export{r as version,o as render};\n//# sourceMappingURL=dom.js.map\n");

    @Test
    void modulesFollowTheModulesThatTheyImport() {
        assertThat(bundle(MODULES).text()).isEqualTo("""
                const $$0 = (() => { var r=1;function o(){}


                return {version: r, render: o}; })();
                const $$1 = (() => { const {render: render} = $$0;
                const Timers = 'timers';
                async function load() { render(); }

                return {Timers: Timers, load: load}; })();
                const $$2 = (() => { const {render: draw} = $$0;


                const {Timers: Timers} = $$1;

                draw(Timers);

                return {}; })();
                //# sourceMappingURL=app.js.map
                """);
    }

    @Test
    void exportsAreReExported() {
        String text = bundle(Map.of(
                        "app.js", "import {twice} from './all.js';\n",
                        "all.js", "export {double as twice} from './math.js';\n",
                        "math.js", "export const double = x => 2 * x;\n"))
                .text();
        assertThat(text).contains("return {twice: $$0.double}; })();");
    }

    @Test
    void sourceMapFindsTheLineOfEachModule() {
        ModuleBundle bundle = bundle(MODULES);
        List<String> lines = bundle.text().lines().toList();
        JsonNode sections =
                JsonMapper.builder().build().readTree(bundle.sourceMap()).get("sections");
        assertThat(sections.size()).isEqualTo(3);
        for (JsonNode section : sections) {
            String path = section.at("/map/sources/0").asString().replaceFirst("\\.\\./", "");
            List<String> source =
                    Objects.requireNonNull(MODULES.get(path)).lines().toList();
            String last = source.get(source.size() - 1).replaceFirst("^export |^//#.*", "");
            assertThat(lines.get(section.at("/offset/line").asInt() + source.size() - 1))
                    .as(path)
                    .isEqualTo(last);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "import app from './b.js';",
                "import * as all from './b.js';",
                "import './b.js';",
                "export default 17;",
                "export let count = 0;",
                "export * from './b.js';",
                "import {missing} from './b.js';",
                "import {loop} from './app.js';"
            })
    void otherSyntaxIsRefused(String line) {
        assertThatThrownBy(() -> bundle(Map.of("app.js", line + "\n", "b.js", "export const b = 1;\n")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("Expected ");
    }

    private static ModuleBundle bundle(Map<String, String> modules) {
        return new ModuleBundle("app.js", path -> Objects.requireNonNull(modules.get(path), path));
    }
}
