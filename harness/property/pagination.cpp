// Lists and their cursors, asked for in any order (server § Pagination).

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "exchange/envelope.h"
#include "property/lists.h"
#include "property/models.h"
#include "property/scene.h"

namespace assay {
namespace {

// What is remembered of one list. Steps are known by their place, as nothing here is nested.
struct Known {
  std::optional<std::size_t> first_page;
  std::optional<std::size_t> second_page;
};

struct Pages {
  std::vector<Step> steps;
  std::map<std::string, Known> lists;
};

void SaveOnce(Step& step, const std::string& variable, const std::string& pointer) {
  const bool saved = std::any_of(step.save.begin(), step.save.end(),
                                 [&](const Save& save) { return save.variable == variable; });
  if (!saved) step.save.push_back({variable, pointer});
}

Alternative Items(const ListKind& list) {
  return ResultLike(Json::Object({{list.member, Json::String("$array")}}));
}

// A page with an item called `${variable}`, or one without.
Alternative PageWith(const ListKind& list, const std::string& matcher, Json item) {
  return ResultLike(Json::Object({{list.member, Json::Object({{matcher, std::move(item)}})}}));
}

Json Named(const ListKind& list, Json name) { return Json::Object({{list.key, std::move(name)}}); }

Step JudgeAgain(const std::string& requirement, Alternative outcome) {
  Step step;
  step.verb = Step::Verb::kExpect;
  Expect(step, requirement, {std::move(outcome)});
  return step;
}

class Paging {
 public:
  Paging(ListKind list, Era era) : list_(std::move(list)), era_(era) {}

  bool First(Pages& pages) const {
    Known& known = pages.lists[list_.name];
    const bool again = known.first_page.has_value();
    if (!again) known.first_page = pages.steps.size();
    Step& step = pages.steps.emplace_back(RequestStep(list_.method));
    Expect(step, answered(), {Items(list_)});
    // Nothing that is asked in between changes a list.
    if (again && list_.has_items && era_ == Era::kModern && !list_.no_side_effect.empty()) {
      SaveOnce(pages.steps[*known.first_page], first(), FirstName());
      pages.steps.push_back(JudgeAgain(
          list_.no_side_effect,
          PageWith(list_, "$contains", Named(list_, Json::String("${" + first() + "}")))));
    }
    return true;
  }

  bool Next(Pages& pages) const {
    Known& known = pages.lists[list_.name];
    if (!known.first_page) return false;
    Step& start = pages.steps[*known.first_page];
    SaveOnce(start, cursor(), "/result/nextCursor");
    SaveOnce(start, first(), FirstName());
    const bool again = known.second_page.has_value();
    if (!again) known.second_page = pages.steps.size();
    Step& step = pages.steps.emplace_back(
        RequestStep(list_.method, Json::Object({{"cursor", Json::String("${" + cursor() + "}")}})));
    Expect(step, answered(), {Items(list_)});
    pages.steps.push_back(JudgeAgain(
        era_ == Era::kModern ? "M-PAGE-CONTINUES-AFTER-CURSOR" : "L-PAGE-continues-after-cursor",
        PageWith(list_, "$every",
                 Named(list_, Json::Object({{"$not", Json::String("${" + first() + "}")}})))));
    if (!again) return true;
    SaveOnce(pages.steps[*known.second_page], second(), FirstName());
    pages.steps.push_back(JudgeAgain(
        era_ == Era::kModern ? "M-PAGE-STABLE-CURSORS" : "L-PAGE-stable-cursor",
        PageWith(list_, "$contains", Named(list_, Json::String("${" + second() + "}")))));
    return true;
  }

  bool BadCursor(Pages& pages) const {
    Step& step = pages.steps.emplace_back(
        RequestStep(list_.method, J(R"({"cursor":"assay-no-such-cursor"})")));
    Expect(
        step,
        era_ == Era::kModern ? "M-PAGE-INVALID-CURSOR-GRACEFUL" : "L-PAGE-invalid-cursor-graceful",
        {ErrorLike(Json::Object()), ResultLike(Json::Object())});
    return true;
  }

 private:
  const std::string& answered() const { return era_ == Era::kModern ? list_.modern : list_.legacy; }
  std::string first() const { return "first_" + list_.name; }
  std::string second() const { return "second_" + list_.name; }
  std::string cursor() const { return "cursor_" + list_.name; }
  std::string FirstName() const { return "/result/" + list_.member + "/0/" + list_.key; }

  ListKind list_;
  Era era_;
};

bool Alive(Pages& pages, Era era) {
  Step& step =
      pages.steps.emplace_back(RequestStep(era == Era::kModern ? "server/discover" : "ping"));
  Expect(step, era == Era::kModern ? "M-DISCOVER-IMPLEMENTED" : "L-PING-respond",
         {ResultLike(Json::Object())});
  return true;
}

}  // namespace

std::optional<Model> PaginationModel(const ServerFacts& facts, Era era) {
  const EraFacts& served = era == Era::kModern ? facts.modern : facts.legacy;
  const std::vector<ListKind> lists = ListsOf(served);
  if (!served.served || lists.empty()) return std::nullopt;
  std::vector<Letter<Pages>> letters;
  const auto add = [&](std::string name, auto play) {
    letters.push_back({std::move(name), [play](Pages& pages, Scene&) { return play(pages); }});
  };
  for (const ListKind& list : lists) {
    add(list.name, [paging = Paging(list, era)](Pages& pages) { return paging.First(pages); });
  }
  for (const ListKind& list : lists) {
    const auto& paged = served.paged;
    if (std::find(paged.begin(), paged.end(), list.method) == paged.end()) continue;
    add("next-" + list.name,
        [paging = Paging(list, era)](Pages& pages) { return paging.Next(pages); });
  }
  add("bad-cursor",
      [paging = Paging(lists.front(), era)](Pages& pages) { return paging.BadCursor(pages); });
  add(era == Era::kModern ? "discover" : "ping", [era](Pages& pages) { return Alive(pages, era); });
  std::vector<std::string> capabilities;
  for (const ListKind& list : lists) {
    if (capabilities.empty() || capabilities.back() != list.capability) {
      capabilities.push_back(list.capability);
    }
  }
  return MakeModel<Pages>({.name = era == Era::kModern ? "pages-modern" : "pages-legacy",
                           .title = "lists and their cursors",
                           .era = era,
                           .revision = served.revisions.front(),
                           .when = NeedsCapabilities(capabilities)},
                          {}, std::move(letters), [](Pages& pages, Scene& scene) {
                            for (Step& step : pages.steps) scene.Add(std::move(step));
                          });
}

}  // namespace assay
